import { Command } from 'commander'
import { loadConfig } from '../config.ts'
import { type VerifiedFolder, verifyFolder } from '../records/maintenance/verify-folder.ts'
import { Progress } from './progress.ts'
import { requireTables } from './require-tables.ts'
import { print, run } from './run.ts'

/** `verify`: reads everything that a data folder holds. */
export const verifyCommand = (): Command =>
  new Command('verify')
    .description('read everything in the data folder and say what is wrong, also beside a running server')
    .option('--data <folder>', 'data folder (TRACELAKE_DATA, default ./data)')
    .addHelpText('after', notes)
    .action((options: { data?: string }, self: Command) => run(self, () => verify(self, options)))

const notes = `
Every fault is a line on standard output: where it is, a colon, what it is. Nothing is changed.
Exit code: 0 where all is well, 1 where something is wrong, 2 where there is no data folder.

Looked at are the Delta logs and their checkpoints; size, rows, nulls and bounds of every Parquet file, and that no row lies
in two; the filters that say which file may hold an id; checksums of the log; contents of files, objects and rows of tables
against their digests; and that files, tables, chunks and rows which others name are there.

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
    print(self, `Not looked at, because this version does not know them: ${verified.unknown.join(', ')}.`)
  if (faults > 0) throw new Error(`Verify ${data}: ${faults === 1 ? 'one fault' : `${faults} faults`}`)
  print(self, summary(data, verified))
}

function summary(data: string, { tables, files, fileRows, logRows, contents }: VerifiedFolder): string {
  const count = (value: number) => value.toLocaleString('en-US')
  return `${data} is well: ${tables} tables, ${count(files)} Parquet files with ${count(fileRows)} rows, ${count(logRows)} parts of rows in the log, ${count(contents)} contents of files.`
}
