import { Command } from 'commander'
import { loadConfig } from '../runtime/config.ts'
import { bytesText } from './output.ts'
import { print, run } from './run.ts'
import { withStore } from './with-store.ts'

/** `compact`: merges small Parquet files. */
export const compactCommand = (): Command =>
  new Command('compact')
    .description('merge small Parquet files as far as possible; requires that no server is running')
    .option('--data <folder>', 'data folder (TRACELAKE_DATA, default ./data)')
    .addHelpText('after', notes)
    .action((options: { data?: string }, self: Command) => run(self, () => compact(self, options)))

const notes = `
A running server compacts on its own as files accumulate; while one has the folder open, this command exits with code 2
and names it. Otherwise it first flushes the write-ahead log, then merges all files that are less than half full. Use it
before archiving or sharing a folder.

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
    `Compacted ${config.data}: ${from} Parquet files (${bytesText(before.fileBytes)}) are now ${to} ` +
      `(${bytesText(after.fileBytes)}).`,
  )
}
