import { Command } from 'commander'
import { accountFileName, keyFileName, secretFileName } from '../domains/access/index.ts'
import { type BackupResult, backUp } from '../engine/backup/backup.ts'
import { refuseOtherTarget } from '../engine/backup/backup-target.ts'
import { referrersFirst } from '../engine/tables/tables.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import type { Config } from '../runtime/config/configuration.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { fileExists, removeFolder } from '../runtime/platform/files/files.ts'
import { joinPath } from '../runtime/platform/files/paths.ts'
import { bytesText, Progress } from './output.ts'
import { type PlaceOptions, placeConfig, withPlace } from './place.ts'
import type { ReadablePlace } from './read-lake.ts'
import { readPlace } from './read-place.ts'
import { print, run } from './run.ts'

/** `backup`: creates a copy of a data folder that can be served. */
export const backupCommand = (): Command =>
  withPlace(new Command('backup'))
    .description(
      'back up the data folder or lake; safe while a server is running, and incremental when repeated into a folder',
    )
    .option('--to <folder>', 'target folder: new, empty, or an earlier backup of the same data (required)')
    .option('--copy', 'copy files instead of creating hard links')
    .addHelpText('after', notes)
    .action((options: BackupCommandOptions, self: Command) => run(self, () => backup(self, options)))

const notes = `
The backup contains everything that was acknowledged before the command started. On the file system of the data folder,
immutable files are hard-linked and take no extra space: this protects against mistakes, but not against disk failure.
To protect against that, use a folder on another disk. If a run is interrupted, the earlier backup stays usable; run the
command again.

A lake is fetched into the folder TO.arriving first, as far as the backup does not have it, and then linked.

The backup includes the API keys and the encrypted provider secrets, but not the key that encrypts them. That key is
next to the data folder (DATA.secrets-key); keep a copy of it apart from the backup.

Examples:
  tracelake backup --data ./data --to /mnt/backup/tracelake
  tracelake backup --lake s3://my-bucket/traces --to /mnt/backup/tracelake
  tracelake verify --data /mnt/backup/tracelake
  tracelake serve --data /mnt/backup/tracelake      to restore; send later backups elsewhere`

interface BackupCommandOptions extends PlaceOptions {
  to?: string
  copy?: true
}

const rootFiles = [keyFileName, accountFileName, secretFileName]

async function backup(self: Command, { to, copy, ...at }: BackupCommandOptions): Promise<void> {
  if (to === undefined || to === '') throw new ConfigError('--to is required: the folder to back up to')
  const { lake } = placeConfig(at)
  if (lake === undefined)
    return await readPlace(at, { tables: [] }, (place) => backUpTo(self, place, { to, mayLink: copy !== true }))
  await refuseOtherTarget(lake.address, to)
  // What has arrived there before an interruption is not fetched again.
  const arriving = `${to.replace(/\/+$/, '')}.arriving`
  await readPlace({ ...at, lake: lake.address, data: arriving }, { ...everything, beside: to }, (place) =>
    backUpTo(self, place, { to, mayLink: true }),
  )
  await removeFolder(arriving)
}

const everything = { tables: referrersFirst, rest: { documents: rootFiles }, isLasting: true }

async function backUpTo(
  self: Command,
  { config, name: of }: ReadablePlace,
  { to, mayLink }: { readonly to: string; readonly mayLink: boolean },
): Promise<void> {
  const progress = new Progress()
  try {
    const result = await backUp({
      dataFolder: config.data,
      to,
      ...(config.lake !== undefined && { of }),
      tableNames: referrersFirst.map(({ name }) => name),
      rootFiles,
      mayLink,
      memoryBytesMax: config.memoryBytesMax,
      clock: systemClock,
      onProgress: progress.say,
    })
    progress.end()
    print(self, ...resultLines(of, to, result), ...(await secretsHint(config, of)))
  } finally {
    progress.end()
  }
}

function resultLines(from: string, to: string, result: BackupResult): string[] {
  const { files, linked, copied, newBytes, removed } = result
  const count = (value: number) => value.toLocaleString('en-US')
  return [
    `Backed up ${from} to ${to}: ${count(files)} files with rows and contents.`,
    `New: ${bytesText(newBytes)} in ${count(linked + copied)} files (${count(linked)} linked, ` +
      `${count(copied)} copied); removed: ${count(removed)}.`,
  ]
}

async function secretsHint(
  { data, lake, secretsKeyFile, hasSecretsKeyFile }: Config,
  place: string,
): Promise<string[]> {
  if (!(await fileExists(joinPath(data, secretFileName)))) return []
  const key = lake === undefined || hasSecretsKeyFile ? secretsKeyFile : `${place}/secrets-key.json`
  return [`It contains encrypted provider secrets, but not their key: keep a copy of ${key} elsewhere.`]
}
