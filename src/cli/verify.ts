import { Command } from 'commander'
import { keyFileName, secretFileName } from '../domains/access/index.ts'
import { type VerifiedFolder, verifyFolder } from '../domains/admin/index.ts'
import { referrersFirst } from '../engine/tables/tables.ts'
import { Progress } from './output.ts'
import { type PlaceOptions, withPlace } from './place.ts'
import type { ReadablePlace } from './read-lake.ts'
import { readPlace } from './read-place.ts'
import { print, run } from './run.ts'

/** `verify`: checks the integrity of a data folder. */
export const verifyCommand = (): Command =>
  withPlace(new Command('verify'))
    .description('check the integrity of everything in the data folder or lake; safe while a server is running')
    .addHelpText('after', notes)
    .action((options: PlaceOptions, self: Command) =>
      run(self, () => readPlace(options, wanted, (place) => verify(self, place))),
    )

const wanted = { tables: referrersFirst, rest: { documents: [keyFileName, secretFileName] }, isTolerant: true }

const notes = `
Prints one line per problem to standard output, as "place: problem". Nothing is changed.
Exit codes: 0 no problems, 1 problems found, 2 not a data folder.

A lake is fetched first, into a temporary folder, or into that of --data, where the next command finds it.

Checks the Delta logs and their checkpoints; the size, row count, null counts and bounds of every Parquet file, and
that no row is in two of them; the key filters; the checksums of the write-ahead log; files, objects and table rows
against their digests; and that every referenced file, table, chunk and row exists.

Examples:
  tracelake verify --data ./data
  tracelake verify --lake s3://my-bucket/traces
  tracelake verify --data /mnt/backup/tracelake || mail -s "backup" ops@example.com < /dev/null`

async function verify(self: Command, { config, name }: ReadablePlace): Promise<void> {
  const { data, memoryBytesMax, secretsKeyFile } = config
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
  if (faults > 0) throw new Error(`${name}: found ${faults === 1 ? '1 problem' : `${faults} problems`}`)
  print(self, summary(name, verified))
}

function summary(place: string, { tables, files, fileRows, logRows, contents }: VerifiedFolder): string {
  const count = (value: number) => value.toLocaleString('en-US')
  return (
    `${place}: no problems in ${tables} tables, ${count(files)} Parquet files with ${count(fileRows)} rows, ` +
    `${count(logRows)} row fragments in the log and ${count(contents)} file contents.`
  )
}
