import { Database } from '../../runtime/duck/database.ts'
import { Writer } from '../../runtime/duck/writer.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { publishFile, writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { findBytes, findFileBytes, findText, listFolder, removeFile } from '../../runtime/platform/files/files.ts'
import { absolutePath, joinPath } from '../../runtime/platform/files/paths.ts'
import { fileNameOf } from '../data-files/file-scan.ts'
import { checkpointName, checkpointVersion, lastCheckpointName, writeCheckpoint } from '../delta/checkpoint.ts'
import { commitVersion } from '../delta/commit-file.ts'
import { refuseUnfinishedBackup } from '../folder/locked-folder.ts'
import { blobsFolder, indexedFile, tablesFolder, temporaryFolder } from '../layout.ts'
import { BackupTarget, LinkOrCopy } from './backup-target.ts'
import { type StagedTable, stageTable } from './stage-table.ts'

/**
 * Switches a table of the backup to its new state atomically, by publishing a checkpoint of that
 * state. Readers start from the newest checkpoint, so neither the commits before it nor the files
 * they name are needed. The write-ahead log goes first: it holds what the new state lacks and does
 * not harm the old one.
 */
async function publishTable(writer: Writer, linkOrCopy: LinkOrCopy, staged: StagedTable): Promise<void> {
  const { source, target, state, before, logFiles } = staged
  for (const { name, temporary } of logFiles) await publishFile(temporary, joinPath(target.wal, name))
  const isPublished = before.version === state.version && (await lastCheckpoint(target.deltaLog)) === state.version
  if (!isPublished) await writeCheckpoint(writer, target.deltaLog, state.checkpoint)
  // The preceding commits are kept as a fallback in case the checkpoint is damaged later.
  for (const name of await listFolder(source.deltaLog)) {
    const isCommit = (commitVersion(name) ?? Number.POSITIVE_INFINITY) <= state.version
    const isEarlier = (checkpointVersion(name) ?? Number.POSITIVE_INFINITY) < state.version
    if (!isCommit && !isEarlier) continue
    const file = joinPath(source.deltaLog, name)
    // The last commit of a backup of a lake is of the backup, which replaces it the next time.
    await linkOrCopy.place(file, joinPath(target.deltaLog, name), await findFileBytes(file))
  }
}

/** Removes what the new state of a table does not need. Returns how many files. */
async function removeObsolete({ source, target, state, logFiles }: StagedTable): Promise<number> {
  const parquet = new Set(state.files.map(({ add }) => fileNameOf(add.path)))
  const log = new Set(logFiles.map(({ name }) => name))
  const delta = new Set([...(await listFolder(source.deltaLog)), checkpointName(state.version), lastCheckpointName])
  const indexes = new Set(await listFolder(source.filters))
  await removeAllExcept(target.unfinished, () => false)
  const quarantined = new Set(await listFolder(source.quarantine))
  const removed = [
    await removeAllExcept(target.folder, (name) => !name.endsWith('.parquet') || parquet.has(name)),
    await removeAllExcept(
      target.filters,
      (name) => parquet.has(indexedFile(name) ?? '') && (name.endsWith('.index') || indexes.has(name)),
    ),
    await removeAllExcept(target.wal, (name) => log.has(name)),
    await removeAllExcept(target.quarantine, (name) => quarantined.has(name)),
    await removeAllExcept(target.deltaLog, (name) => delta.has(name) && !isLater(name, state.version)),
  ]
  return removed.reduce((sum, count) => sum + count, 0)
}

const isLater = (name: string, version: number): boolean =>
  (commitVersion(name) ?? checkpointVersion(name) ?? 0) > version

async function lastCheckpoint(deltaLog: string): Promise<number | undefined> {
  const text = await findText(joinPath(deltaLog, lastCheckpointName))
  const stated: { version?: number } = text === undefined ? {} : JSON.parse(text)
  return stated.version
}

async function removeAllExcept(folder: string, isWanted: (name: string) => boolean): Promise<number> {
  const others = (await listFolder(folder)).filter((name) => !isWanted(name))
  for (const name of others) await removeFile(joinPath(folder, name))
  return others.length
}

interface BlobsOptions {
  readonly dataFolder: string
  readonly backupFolder: string
  readonly linkOrCopy: LinkOrCopy
  readonly onFile: (done: number) => void
}

/**
 * Adds the blobs that the backup lacks. Returns the names of all blobs, `<two
 * characters>/<digest>`.
 */
async function backUpBlobs({ dataFolder, backupFolder, linkOrCopy, onFile }: BlobsOptions): Promise<Set<string>> {
  const found = new Set<string>()
  const [source, copy] = [blobsFolder(dataFolder), blobsFolder(backupFolder)]
  await linkOrCopy.ensure(copy)
  for (const shard of await listFolder(source)) {
    const [from, to] = [joinPath(source, shard), joinPath(copy, shard)]
    const names = await listFolder(from)
    if (names.length > 0) await linkOrCopy.ensure(to)
    const present = new Set(await listFolder(to))
    for (const name of names) {
      // Blobs are content-addressed, so an existing one is up to date. One deleted in between was
      // unreferenced.
      if (!present.has(name)) await linkOrCopy.placeByName(from, to, name)
      found.add(`${shard}/${name}`)
      onFile(found.size)
    }
  }
  return found
}

/** Removes the blobs of the backup that are not in `named`. Returns how many. */
async function removeUnreferencedBlobs(backupFolder: string, named: ReadonlySet<string>): Promise<number> {
  const copy = blobsFolder(backupFolder)
  let removed = 0
  for (const shard of await listFolder(copy)) {
    for (const name of await listFolder(joinPath(copy, shard))) {
      if (named.has(`${shard}/${name}`)) continue
      await removeFile(joinPath(copy, shard, name))
      removed++
    }
  }
  return removed
}

export interface BackupOptions {
  readonly dataFolder: string
  readonly to: string
  /** As the backup names its source, if that is not the folder. */
  readonly of?: string
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
 * is interrupted. See docs/decisions/061-backups.md.
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
  await target.finish({ of: options.of ?? absolutePath(dataFolder), began_at: beganAt })
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
