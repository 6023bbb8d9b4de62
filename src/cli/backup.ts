import { Command } from 'commander'
import { accountFileName, keyFileName, secretFileName } from '../domains/access/index.ts'
import { type BackupResult, backUp } from '../engine/backup/backup.ts'
import { referrersFirst } from '../engine/tables/tables.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import type { Config } from '../runtime/config/configuration.ts'
import { loadConfig } from '../runtime/config.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { fileExists } from '../runtime/platform/files/files.ts'
import { joinPath } from '../runtime/platform/files/paths.ts'
import { bytesText, Progress } from './output.ts'
import { print, run } from './run.ts'
import { requireTables } from './with-store.ts'

/** `backup`: creates a copy of a data folder that can be served. */
export const backupCommand = (): Command =>
  new Command('backup')
    .description(
      'back up the data folder; safe while a server is running, and incremental when repeated into the same folder',
    )
    .option('--to <folder>', 'target folder: new, empty, or an earlier backup of the same data (required)')
    .option('--data <folder>', 'data folder (TRACELAKE_DATA, default ./data)')
    .option('--copy', 'copy files instead of creating hard links')
    .addHelpText('after', notes)
    .action((options: BackupCommandOptions, self: Command) => run(self, () => backup(self, options)))

const notes = `
The backup contains everything that was acknowledged before the command started. On the file system of the data folder,
immutable files are hard-linked and take no extra space: this protects against mistakes, but not against disk failure.
To protect against that, use a folder on another disk. If a run is interrupted, the earlier backup stays usable; run the
command again.

The backup includes the API keys and the encrypted provider secrets, but not the key that encrypts them. That key is
next to the data folder (DATA.secrets-key); keep a copy of it apart from the backup.

Examples:
  tracelake backup --data ./data --to /mnt/backup/tracelake
  tracelake verify --data /mnt/backup/tracelake
  tracelake serve --data /mnt/backup/tracelake      to restore; send later backups elsewhere`

interface BackupCommandOptions {
  data?: string
  to?: string
  copy?: true
}

async function backup(self: Command, { data, to, copy }: BackupCommandOptions): Promise<void> {
  const config = loadConfig({ data })
  if (to === undefined || to === '') throw new ConfigError('--to is required: the folder to back up to')
  await requireTables(config.data)
  const progress = new Progress()
  try {
    const result = await backUp({
      dataFolder: config.data,
      to,
      tableNames: referrersFirst.map(({ name }) => name),
      rootFiles: [keyFileName, accountFileName, secretFileName],
      mayLink: copy !== true,
      memoryBytesMax: config.memoryBytesMax,
      clock: systemClock,
      onProgress: progress.say,
    })
    progress.end()
    print(self, ...resultLines(config, to, result), ...(await secretsHint(config)))
  } finally {
    progress.end()
  }
}

function resultLines({ data }: Config, to: string, result: BackupResult): string[] {
  const { files, linked, copied, newBytes, removed } = result
  const count = (value: number) => value.toLocaleString('en-US')
  return [
    `Backed up ${data} to ${to}: ${count(files)} files with rows and contents.`,
    `New: ${bytesText(newBytes)} in ${count(linked + copied)} files (${count(linked)} linked, ` +
      `${count(copied)} copied); removed: ${count(removed)}.`,
  ]
}

async function secretsHint({ data, secretsKeyFile }: Config): Promise<string[]> {
  if (!(await fileExists(joinPath(data, secretFileName)))) return []
  return [`It contains encrypted provider secrets, but not their key: keep a copy of ${secretsKeyFile} elsewhere.`]
}
