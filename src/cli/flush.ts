import { Command } from 'commander'
import { loadConfig } from '../runtime/config.ts'
import { bytesText } from './output.ts'
import { print, run } from './run.ts'
import { withStore } from './with-store.ts'

/** `flush`: writes the rows in the write-ahead log to Parquet files. */
export const flushCommand = (): Command =>
  new Command('flush')
    .description('write the rows in the write-ahead log to Parquet files; requires that no server is running')
    .option('--data <folder>', 'data folder (TRACELAKE_DATA, default ./data)')
    .addHelpText('after', notes)
    .action((options: { data?: string }, self: Command) => run(self, () => flush(self, options)))

const notes = `
After a crash, the newest rows are only in the write-ahead log, which is replayed at the next start. This command
replays the log without starting a server, so that the Parquet files contain all rows for any program that reads
Parquet. A running server flushes on its own; while one has the folder open, this command exits with code 2 and
names it.

Example:
  tracelake flush --data ./data`

async function flush(self: Command, options: { data?: string }): Promise<void> {
  const config = loadConfig(options)
  const { before, after } = await withStore(config, (store) => store.flush({ retainIncomplete: false }))
  const moved = before.memtableRows - after.memtableRows
  print(
    self,
    `Flushed ${config.data}; rows written from the log: ${moved.toLocaleString('en-US')}.`,
    `The tables now have ${after.fileRows.toLocaleString('en-US')} rows in ` +
      `${after.files.toLocaleString('en-US')} Parquet files (${bytesText(after.fileBytes)}).`,
  )
}
