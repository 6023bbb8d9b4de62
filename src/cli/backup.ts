import { Command } from 'commander'
import { type Config, ConfigError, loadConfig } from '../config.ts'
import { keyFileName } from '../foundation/access/key-ring.ts'
import { secretFileName } from '../foundation/secrets/secret-store.ts'
import { systemClock } from '../platform/clock.ts'
import { fileExists } from '../platform/files.ts'
import { joinPath } from '../platform/paths.ts'
import { type BackupResult, backUp } from '../store/backup/backup.ts'
import { referrersFirst } from '../tables/tables.ts'
import { bytesText } from './bytes-text.ts'
import { Progress } from './progress.ts'
import { requireTables } from './require-tables.ts'
import { print, run } from './run.ts'

/** `backup`: a copy of a data folder that can be served. */
export const backupCommand = (): Command =>
  new Command('backup')
    .description('copy the data folder, also beside a running server; again into the same folder it copies what is new')
    .option('--to <folder>', 'where to: an empty or new folder, or an earlier backup of the same data (required)')
    .option('--data <folder>', 'data folder (TRACELAKE_DATA, default ./data)')
    .option('--copy', 'copy files also where hard links would do')
    .addHelpText('after', notes)
    .action((options: BackupCommandOptions, self: Command) => run(self, () => backup(self, options)))

const notes = `
Everything that was acknowledged before the command began is in the backup. On the file system of the data, files that
never change are hard links, which take no room: good against mistakes, not against a broken disk. For that, name a folder
on another disk. An interrupted run leaves an earlier backup usable; run it again.

Keys of the API come along, and secrets of providers as they are, encrypted. The key that they are encrypted with does not:
it lies beside the data folder (DATA.secrets-key). Keep it apart from the backup.

Examples:
  tracelake backup --data ./data --to /mnt/backup/tracelake
  tracelake verify --data /mnt/backup/tracelake
  tracelake serve --data /mnt/backup/tracelake      to put it to use; later backups then go elsewhere`

interface BackupCommandOptions {
  data?: string
  to?: string
  copy?: true
}

async function backup(self: Command, { data, to, copy }: BackupCommandOptions): Promise<void> {
  const config = loadConfig({ data })
  if (to === undefined || to === '')
    throw new ConfigError('Back up: --to is missing; it takes the folder that the backup goes to')
  await requireTables(config.data)
  const progress = new Progress()
  try {
    const result = await backUp({
      dataFolder: config.data,
      to,
      tableNames: referrersFirst.map(({ name }) => name),
      rootFiles: [keyFileName, secretFileName],
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
    `${data} is backed up in ${to}: ${count(files)} files with rows and contents.`,
    `New: ${bytesText(newBytes)} in ${count(linked + copied)} files (${count(linked)} linked, ${count(copied)} copied); gone: ${count(removed)}.`,
  ]
}

async function secretsHint({ data, secretsKeyFile }: Config): Promise<string[]> {
  if (!(await fileExists(joinPath(data, secretFileName)))) return []
  return [`Secrets of providers are in it, encrypted. Their key is not: keep a copy of ${secretsKeyFile} elsewhere.`]
}
