import { Command } from 'commander'
import {
  accountFileName,
  keyFileName,
  SealingKeyDocument,
  SealingKeyFile,
  secretFileName,
} from '../domains/access/index.ts'
import { copyDown } from '../engine/copy/copy-down.ts'
import { copyLakeDown } from '../engine/copy/copy-lake-down.ts'
import { isLake } from '../engine/copy/copy-marker.ts'
import { type CopyOptions, type CopyResult, copyUp } from '../engine/copy/copy-up.ts'
import { referrersFirst } from '../engine/tables/tables.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import type { Config } from '../runtime/config/configuration.ts'
import { loadConfig } from '../runtime/config.ts'
import { ObjectDocuments } from '../runtime/documents/object-documents.ts'
import type { ObjectStore } from '../runtime/objects/object-store.ts'
import { openObjectStore, type StoreOptions } from '../runtime/objects/open-object-store.ts'
import { areSameBytes } from '../runtime/platform/files/bytes.ts'
import { ensureFolderDurably, writeFileDurably } from '../runtime/platform/files/durable-files.ts'
import { fileExists } from '../runtime/platform/files/files.ts'
import { dirName } from '../runtime/platform/files/paths.ts'
import { bytesText, Progress } from './output.ts'
import { print, run } from './run.ts'
import { storeOptions } from './store-options.ts'
import { requireTables } from './with-store.ts'

interface CopyCommandOptions extends StoreOptions {
  readonly dryRun?: true
}

/** `copy`: moves data between a folder and an object store. */
export const copyCommand = (): Command => {
  const command = new Command('copy')
    .description('copy a data folder that no server has open into a bucket, or a bucket into a folder')
    .argument('<from>', 'data folder, or s3://<bucket>/<prefix>')
    .argument('<to>', 's3://<bucket>/<prefix>, or a new folder')
    .option('--dry-run', 'change nothing; print how much would be copied')
  for (const option of storeOptions()) command.addOption(option)
  return command
    .addHelpText('after', notes)
    .action((from: string, to: string, options: CopyCommandOptions, self: Command) =>
      run(self, () => copy(self, from, to, options)),
    )
}

const notes = `
Objects have the names of the files, so every program that reads Delta Lake reads the tables in the bucket. Their logs
are copied last. Every file is compared with what has arrived; if the copy is interrupted, run it again. Repeated later,
it adds what is new. Objects that are no longer needed stay.

Includes API keys as hashes, accounts and the encrypted provider secrets, but not the key that encrypts them.

A bucket that a server keeps its data in is copied back while the server goes on, with every row that was accepted
before. If the key of the secrets is in the bucket, it is written beside the folder, as FOLDER.secrets-key.
Exit codes: 0 copied, 1 failed, 2 the folder, the address or a setting is invalid.

Examples:
  tracelake copy ./data s3://my-bucket/traces --dry-run
  tracelake copy ./data s3://my-bucket/traces
  tracelake copy s3://my-bucket/traces ./restored`

async function copy(self: Command, from: string, to: string, options: CopyCommandOptions): Promise<void> {
  const [isFromStore, isToStore] = [from, to].map((place) => place.includes('://'))
  if (isFromStore === isToStore) throw new ConfigError('One of the two places must be a folder, and the other s3://…')
  const config = loadConfig({ data: isFromStore ? to : from })
  const { data: dataFolder, memoryBytesMax } = config
  if (isToStore) await requireTables(dataFolder, 'give that address as the place to copy from')
  const store = await openObjectStore(isFromStore ? from : to, options)
  const progress = new Progress()
  const isDryRun = options.dryRun === true
  const common = { dataFolder, store, isDryRun, onProgress: progress.say }
  try {
    const result = isFromStore
      ? await copyBack(config, common)
      : await copyUp({
          ...common,
          memoryBytesMax,
          knownTables: referrersFirst,
          rootFiles: ['format.json', keyFileName, accountFileName, secretFileName],
        })
    progress.end()
    print(self, ...linesOf({ from, to, isDryRun }, result))
  } finally {
    progress.end()
  }
}

/** Of a lake, also what only a server that uses it can have, except for who is signed in. */
const documents = ['format.json', keyFileName, accountFileName, secretFileName, 'key-uses.json', 'shared-links.json']

async function copyBack(config: Config, options: CopyOptions): Promise<CopyResult> {
  if (!(await isLake(options.store))) return await copyDown(options)
  const { memoryBytesMax } = config
  const begin = () => keepSecretsKey(config, options.store)
  return await copyLakeDown({ ...options, tables: referrersFirst, documents, memoryBytesMax, begin })
}

/** A server on a folder looks for the key of the secrets beside it. */
async function keepSecretsKey({ secretsKeyFile, hasSecretsKeyFile }: Config, store: ObjectStore): Promise<void> {
  const inLake = new SealingKeyDocument(new ObjectDocuments({ store, node: 'copy' }))
  if (hasSecretsKeyFile || (await store.head('secrets-key.json')) === undefined) return
  const key = await inLake.get()
  if (await fileExists(secretsKeyFile)) {
    if (areSameBytes(await new SealingKeyFile(secretsKeyFile).get(), key)) return
    throw new ConfigError(
      `${secretsKeyFile} has another key than ${inLake.place}; move it away, or choose a new folder`,
    )
  }
  await ensureFolderDurably(dirName(secretsKeyFile))
  await writeFileDurably(secretsKeyFile, `${key.toHex()}\n`, { mode: 0o600 })
}

function linesOf(
  { from, to, isDryRun }: { from: string; to: string; isDryRun: boolean },
  { files, bytes, newFiles, newBytes, writes }: CopyResult,
): string[] {
  const count = (value: number) => value.toLocaleString('en-US')
  const news = `${bytesText(newBytes)} in ${count(newFiles)} new ${newFiles === 1 ? 'file' : 'files'}`
  return [
    isDryRun ? `Would copy ${from} to ${to}: ${news}.` : `Copied ${from} to ${to}: ${news}.`,
    `In all: ${bytesText(bytes)} in ${count(files)} files.`,
    ...(writes === 0 ? [] : [`Requests that write: ${count(writes)}.`]),
  ]
}
