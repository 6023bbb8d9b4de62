import { Command } from 'commander'
import { type VerifiedFolder, verifyFolder } from '../domains/admin/index.ts'
import { loadConfig } from '../runtime/config.ts'
import { Progress } from './output.ts'
import { print, run } from './run.ts'
import { requireTables } from './with-store.ts'

/** `verify`: checks the integrity of a data folder. */
export const verifyCommand = (): Command =>
  new Command('verify')
    .description('check the integrity of everything in the data folder; safe while a server is running')
    .option('--data <folder>', 'data folder (TRACELAKE_DATA, default ./data)')
    .addHelpText('after', notes)
    .action((options: { data?: string }, self: Command) => run(self, () => verify(self, options)))

const notes = `
Prints one line per problem to standard output, as "place: problem". Nothing is changed.
Exit codes: 0 no problems, 1 problems found, 2 not a data folder.

Checks the Delta logs and their checkpoints; the size, row count, null counts and bounds of every Parquet file, and
that no row is in two of them; the key filters; the checksums of the write-ahead log; files, objects and table rows
against their digests; and that every referenced file, table, chunk and row exists.

Examples:
  tracelake verify --data ./data
  tracelake verify --data /mnt/backup/tracelake || mail -s "backup" ops@example.com < /dev/null`

async function verify(self: Command, options: { data?: string }): Promise<void> {
  const { data, memoryBytesMax, secretsKeyFile } = loadConfig(options)
  await requireTables(data)
  const progress = new Progress()
  let faults = 0
  const report = (place: string, fault: string) => {
    progress.end()
    faults++
    print(self, `${place}: ${fault}`)
  }
  const verified = await verifyFolder({
    dataFolder: data,
    memoryBytesMax,
    secretsKeyFile,
    report,
    onProgress: progress.say,
  }).finally(() => progress.end())
  if (verified.unknown.length > 0)
    print(self, `Not checked because this version does not know them: ${verified.unknown.join(', ')}.`)
  if (faults > 0) throw new Error(`${data}: found ${faults === 1 ? '1 problem' : `${faults} problems`}`)
  print(self, summary(data, verified))
}

function summary(data: string, { tables, files, fileRows, logRows, contents }: VerifiedFolder): string {
  const count = (value: number) => value.toLocaleString('en-US')
  return (
    `${data}: no problems in ${tables} tables, ${count(files)} Parquet files with ${count(fileRows)} rows, ` +
    `${count(logRows)} row fragments in the log and ${count(contents)} file contents.`
  )
}
