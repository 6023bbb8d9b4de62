import { Command } from 'commander'
import { bytesText } from './output.ts'
import { type PlaceOptions, withPlace } from './place.ts'
import { print, run } from './run.ts'
import { withStore } from './with-store.ts'

/** `compact`: merges small Parquet files. */
export const compactCommand = (): Command =>
  withPlace(new Command('compact'))
    .description('merge small Parquet files as far as possible; requires that no server is running')
    .addHelpText('after', notes)
    .action((options: PlaceOptions, self: Command) => run(self, () => compact(self, options)))

const notes = `
A running server compacts on its own as files accumulate; while one has the folder or lake open, this command exits with
code 2 and names it. Otherwise it first flushes the write-ahead log, then merges all files that are less than half full.
Use it before archiving or sharing a folder.

In a lake, the files that were merged stay for those who are reading them. The next server removes them after the time
for which old versions are kept (TRACELAKE_VERSIONS_KEPT_MIN).

Examples:
  tracelake compact --data ./data
  tracelake compact --lake s3://my-bucket/traces`

const instead = 'it merges files by itself'

async function compact(self: Command, options: PlaceOptions): Promise<void> {
  const { place, before, after } = await withStore(options, instead, async (store) => {
    await store.flush({ retainIncomplete: false })
    await store.compact()
  })
  const [from, to] = [before.files.toLocaleString('en-US'), after.files.toLocaleString('en-US')]
  print(
    self,
    `Compacted ${place}: ${from} Parquet files (${bytesText(before.fileBytes)}) are now ${to} ` +
      `(${bytesText(after.fileBytes)}).`,
  )
}
