import { Command } from 'commander'
import { loadConfig } from '../config.ts'
import { bytesText } from './bytes-text.ts'
import { print, run } from './run.ts'
import { withStore } from './with-store.ts'

/** `flush`: moves what is only in the log into Parquet files. */
export const flushCommand = (): Command =>
  new Command('flush')
    .description('move what is only in the log into Parquet files, where no server runs')
    .option('--data <folder>', 'data folder (TRACELAKE_DATA, default ./data)')
    .addHelpText('after', notes)
    .action((options: { data?: string }, self: Command) => run(self, () => flush(self, options)))

const notes = `
After a crash or a kill the newest rows lie in the log, which the next start reads. This does what that start would do, and
stops again: afterwards the Parquet files in the folder are all rows, for any program that reads Parquet. A running server
flushes by itself, and the command then ends with code 2 and says who has the folder.

Example:
  tracelake flush --data ./data`

async function flush(self: Command, options: { data?: string }): Promise<void> {
  const config = loadConfig(options)
  const { before, after } = await withStore(config, (store) => store.flush({ retainIncomplete: false }))
  const moved = before.memtableRows - after.memtableRows
  print(
    self,
    `${config.data} is flushed; rows that were only in the log: ${moved.toLocaleString('en-US')}.`,
    `There are ${after.fileRows.toLocaleString('en-US')} rows in ${after.files.toLocaleString('en-US')} Parquet files (${bytesText(after.fileBytes)}).`,
  )
}
