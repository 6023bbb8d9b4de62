import { Database } from '../../runtime/duck/database.ts'
import { Writer } from '../../runtime/duck/writer.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { findBytes, listFolder, removeFile } from '../../runtime/platform/files/files.ts'
import { absolutePath, joinPath } from '../../runtime/platform/files/paths.ts'
import { refuseUnfinishedBackup } from '../folder/locked-folder.ts'
import { tablesFolder, temporaryFolder } from '../layout.ts'
import { type BlobsOptions, backUpBlobs, removeUnreferencedBlobs } from './backup-blobs.ts'
import { BackupTarget } from './backup-target.ts'
import { LinkOrCopy } from './link-or-copy.ts'
import { publishTable, removeObsolete } from './publish-table.ts'
import { type StagedTable, stageTable } from './stage-table.ts'

export interface BackupOptions {
  readonly dataFolder: string
  readonly to: string
  /** Table names, referencing tables last. Tables that are not listed are backed up too. */
  readonly tableNames: readonly string[]
  /** Files at the top of the data folder, readable by the owner only. They may be missing. */
  readonly rootFiles: readonly string[]
  /** Whether immutable files may be hard-linked. */
  readonly mayLink: boolean
  readonly memoryBytesMax: number
  readonly clock: Clock
  /** Reports progress; `of` is undefined if the total is unknown. */
  readonly onProgress: (what: string, done: number, of?: number) => void
}

export interface BackupResult {
  /** Parquet files and blobs in the backup. */
  readonly files: number
  /** Files of any kind added by this run, and their total size. */
  readonly linked: number
  readonly copied: number
  readonly newBytes: number
  readonly removed: number
}

/**
 * Makes `to` a copy of a data folder, whether or not a server is running on it. The copy contains
 * everything acknowledged before the call, and everything it contains refers only to what it
 * contains.
 *
 * All files are added first, next to what `to` already holds; then the tables switch to their new
 * state one by one; obsolete files go last. An earlier backup therefore stays usable whenever this
 * is interrupted.
 *
 * @throws DataFolderError if `to` cannot hold the backup
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
  const onFile = (done: number) => onProgress('file contents', done)
  const blobs: BlobsOptions = { dataFolder, backupFolder: target.folder, linkOrCopy, onFile }
  // Blobs are copied before and after the tables. The first pass does most of the work outside the
  // window between reading rows and reading the blobs they name, and captures blobs that are
  // deleted meanwhile.
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
  // Referenced tables first, so that an interrupted backup has no dangling references.
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
