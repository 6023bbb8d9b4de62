import { Database } from '../../duck/database.ts'
import { Writer } from '../../duck/writer.ts'
import type { Clock } from '../../platform/clock.ts'
import { writeFileDurably } from '../../platform/durable-files.ts'
import { findBytes, listFolder, removeFile } from '../../platform/files.ts'
import { absolutePath, joinPath } from '../../platform/paths.ts'
import { tablesFolder, temporaryFolder } from '../layout.ts'
import { refuseUnfinishedBackup } from '../locked-folder.ts'
import { type BlobsOptions, backUpBlobs, removeUnreferencedBlobs } from './backup-blobs.ts'
import { BackupTarget } from './backup-target.ts'
import { LinkOrCopy } from './link-or-copy.ts'
import { publishTable, removeObsolete } from './publish-table.ts'
import { type StagedTable, stageTable } from './stage-table.ts'

export interface BackupOptions {
  readonly dataFolder: string
  readonly to: string
  /** Names of tables, each before those that its rows refer to. Tables beside these come along too. */
  readonly tableNames: readonly string[]
  /** Files in the data folder itself that belong to it; read by the owner alone. They may be missing. */
  readonly rootFiles: readonly string[]
  /** Whether files that never change may be hard links. */
  readonly mayLink: boolean
  readonly memoryBytesMax: number
  readonly clock: Clock
  /** Hears what is being copied, and how far it is; `of` is missing where nobody knows. */
  readonly onProgress: (what: string, done: number, of?: number) => void
}

export interface BackupResult {
  /** Parquet files and contents that the backup holds. */
  readonly files: number
  /** Files of any kind that came with this run, and their size. */
  readonly linked: number
  readonly copied: number
  readonly newBytes: number
  readonly removed: number
}

/**
 * Makes `to` a copy of a data folder, beside a running server or without one: everything that was acknowledged before is in it, and
 * whatever is in it has what it refers to. First all files are put beside what `to` holds already, then one table after the other moves
 * to its new state, then what is no longer needed goes. So an earlier backup stays usable wherever this ends.
 *
 * @throws DataFolderError where `to` is no place for it
 */
export async function backUp(options: BackupOptions): Promise<BackupResult> {
  await refuseUnfinishedBackup(options.dataFolder)
  const target = await BackupTarget.acquire(options.dataFolder, options.to)
  try {
    const { memoryBytesMax } = options
    const database = await Database.open({ memoryBytesMax, temporaryFolder: temporaryFolder(target.folder) })
    const writer = new Writer(await database.connect())
    try {
      return await copyAll(options, target, writer)
    } finally {
      writer.close()
      database.close()
    }
  } finally {
    await target.clear()
    target.release()
  }
}

async function copyAll(options: BackupOptions, target: BackupTarget, writer: Writer): Promise<BackupResult> {
  const { dataFolder, rootFiles, clock, onProgress } = options
  const beganAt = new Date(clock.nowMs()).toISOString()
  const linkOrCopy = new LinkOrCopy(target, options)
  const onFile = (done: number) => onProgress('contents of files', done)
  const blobs: BlobsOptions = { dataFolder, backupFolder: target.folder, linkOrCopy, onFile }
  // Before and after the tables: most of the work then does not lie between reading rows and reading what they name, and a content
  // that goes meanwhile is there.
  const known = await backUpBlobs(blobs)
  const staged: StagedTable[] = []
  for (const name of await listTables(options)) {
    const onTableFile = (done: number, of: number) => onProgress(name, done, of)
    const table = await stageTable({ writer, dataFolder, target, linkOrCopy, onFile: onTableFile }, name)
    if (table !== undefined) staged.push(table)
  }
  for (const name of await backUpBlobs(blobs)) known.add(name)
  await linkOrCopy.sync()
  for (const name of rootFiles) await copyRootFile(dataFolder, target.folder, name)
  // What is referred to comes first, so that a backup that ends here has no reference to nothing.
  for (const table of staged.toReversed()) await publishTable(writer, linkOrCopy, table)
  await linkOrCopy.sync()
  await target.finish({ of: absolutePath(dataFolder), began_at: beganAt })
  let removed = await removeUnreferencedBlobs(target.folder, known)
  for (const table of staged) removed += await removeObsolete(table)
  const files = staged.reduce((sum, { state }) => sum + state.files.length, known.size)
  return { ...linkOrCopy.counts, files, removed }
}

async function listTables({ dataFolder, tableNames }: BackupOptions): Promise<string[]> {
  const present = await listFolder(tablesFolder(dataFolder))
  const others = present.filter((name) => !tableNames.includes(name))
  return [...others, ...tableNames.filter((name) => present.includes(name))]
}

async function copyRootFile(from: string, to: string, name: string): Promise<void> {
  const bytes = await findBytes(joinPath(from, name))
  if (bytes === undefined) await removeFile(joinPath(to, name))
  else await writeFileDurably(joinPath(to, name), bytes, { mode: 0o600 })
}
