import { Command } from 'commander'
import { loadConfig } from '../config.ts'
import { bytesText } from './bytes-text.ts'
import { print, run } from './run.ts'
import { withStore } from './with-store.ts'

/** `compact`: puts small Parquet files together. */
export const compactCommand = (): Command =>
  new Command('compact')
    .description('put small Parquet files together as far as that goes, where no server runs')
    .option('--data <folder>', 'data folder (TRACELAKE_DATA, default ./data)')
    .addHelpText('after', notes)
    .action((options: { data?: string }, self: Command) => run(self, () => compact(self, options)))

const notes = `
A running server does so by itself where files have piled up, and the command then ends with code 2 and says who has the folder.
Here all files go together that are less than half full, and what is only in the log goes into files first. Good before a
folder is put away or given to others.

Example:
  tracelake compact --data ./data`

async function compact(self: Command, options: { data?: string }): Promise<void> {
  const config = loadConfig(options)
  const { before, after } = await withStore(config, async (store) => {
    await store.flush({ retainIncomplete: false })
    await store.compact()
  })
  const [from, to] = [before.files.toLocaleString('en-US'), after.files.toLocaleString('en-US')]
  print(
    self,
    `${config.data} is compacted: ${from} Parquet files (${bytesText(before.fileBytes)}) are now ${to} (${bytesText(after.fileBytes)}).`,
  )
}
