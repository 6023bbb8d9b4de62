import { Command } from 'commander'
import type { Store } from '../engine/store.ts'
import { bytesText } from './output.ts'
import { type PlaceOptions, withPlace } from './place.ts'
import { print, run } from './run.ts'
import { withStore } from './with-store.ts'

/** `flush`: writes the rows in the write-ahead log to Parquet files. */
export const flushCommand = (): Command =>
  withPlace(new Command('flush'))
    .description('write the rows in the write-ahead log to Parquet files; requires that no server is running')
    .addHelpText('after', notes)
    .action((options: PlaceOptions, self: Command) => run(self, () => flush(self, options)))

const notes = `
After a crash, the newest rows are only in the write-ahead log, which is replayed at the next start. This command
replays the log without starting a server, so that the Parquet files contain all rows for any program that reads
Parquet. A running server flushes on its own; while one has the folder or lake open, this command exits with code 2
and names it.

Examples:
  tracelake flush --data ./data
  tracelake flush --lake s3://my-bucket/traces`

const instead = 'POST /flush makes it write its rows to files'

async function flush(self: Command, options: PlaceOptions): Promise<void> {
  const work = (store: Store) => store.flush({ retainIncomplete: false, withParts: true })
  const { place, before, after } = await withStore(options, instead, work)
  const moved = before.memtableRows - after.memtableRows
  print(
    self,
    `Flushed ${place}; rows written from the log: ${moved.toLocaleString('en-US')}.`,
    `The tables now have ${after.fileRows.toLocaleString('en-US')} rows in ` +
      `${after.files.toLocaleString('en-US')} Parquet files (${bytesText(after.fileBytes)}).`,
  )
}
