import type { Mutex } from '../../lib/concurrency.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { delay, TimeSlice } from '../../runtime/platform/event-loop.ts'
import { listFolder } from '../../runtime/platform/files/files.ts'
import { createdAtMs } from '../data-files/file-names.ts'
import { fileNameOf } from '../data-files/file-scan.ts'
import { type FilterRoom, openDataFiles, removeOrphanedIndexFiles } from '../data-files/open-data-files.ts'
import { removeUncommitted } from '../data-files/uncommitted-files.ts'
import { commitName, DamagedCommit } from '../delta/commit-file.ts'
import { DeltaLog, isReplacedByUs } from '../delta/delta-log.ts'
import type { DeltaState } from '../delta/delta-state.ts'
import { DataFolderError, type TableLayout, walSegmentNumber } from '../layout.ts'
import type { DirtyRow } from '../memtable/memtable.ts'
import type { BatchCodec } from '../wal/batch-codec.ts'
import type { LogBacklog, LogStorage } from '../wal/log-storage.ts'
import { retryIfReplaced } from './replaced-files.ts'
import { tableActions } from './table-actions.ts'
import type { TableLayers } from './table-layers.ts'
import { missingColumns, requireSchema, writeRefusal } from './table-on-disk.ts'
import type { TableStorage } from './table-storage.ts'

/** Data files of this store that no commit names and that are not marked as uncommitted. */
export async function findUnreferencedFiles(layout: TableLayout, state: DeltaState): Promise<string[]> {
  const named = new Set([...[...state.paths].map(fileNameOf), ...(await listFolder(layout.unfinished))])
  return (await listFolder(layout.folder)).filter((name) => createdAtMs(name) !== undefined && !named.has(name))
}

/**
 * Refuses a table whose last commit is lost. The evidence: a file newer than all commits, whose WAL
 * segment is gone, which happens only after a commit.
 *
 * @param unnamed result of `findUnreferencedFiles`
 * @throws DataFolderError
 */
async function refuseLostCommit(options: {
  layout: TableLayout
  tableName: string
  state: DeltaState
  unnamed: readonly string[]
  /** The last WAL segment whose rows are in the files of the state. */
  flushedThrough: number
}): Promise<void> {
  const { layout, tableName, state, unnamed, flushedThrough } = options
  const newestMs = Math.max(0, ...state.files.map(({ add }) => add.modificationTime), ...removalTimes(state))
  const later = unnamed.filter((name) => (createdAtMs(name) ?? 0) > newestMs)
  if (later.length === 0) return
  const logFiles = (await listFolder(layout.wal)).flatMap((name) => walSegmentNumber(name) ?? [])
  if (logFiles.includes(flushedThrough + 1)) return
  throw new DataFolderError(
    `Cannot open table ${tableName}: no commit of its Delta log names ${later.join(', ')}, so a commit after ` +
      `${state.version} seems to be lost. ` +
      `Restore ${commitName(state.version + 1)} in ${layout.deltaLog}, or move the named files out of ` +
      `${layout.folder} to continue without their rows`,
  )
}

const removalTimes = (state: DeltaState): number[] =>
  state.removed.map(({ deletionTimestamp }) => deletionTimestamp ?? 0)

export interface OpenTableOptions {
  readonly storage: TableStorage
  readonly layers: TableLayers
  readonly codec: BatchCodec
  /** Reads the Delta log and data files. Used by this table alone. */
  readonly followConnection: Writer
  /** The store's layers lock. */
  readonly layersLock: Mutex
  readonly clock: Clock
  readonly log: Log
  /** A WAL of more bytes is replayed after the table is open. */
  readonly logReplayedAtOpenBytesMax: number
  /** Memory for Bloom filters of files in no group. */
  readonly filterRoom: FilterRoom
  /** Connects to DuckDB once more; the connection is closed by the table. */
  readonly connect: () => Promise<Writer>
  /** Catches up with commits of other engines, once the table is open. */
  readonly follow: () => Promise<void>
}

/** A table that has been loaded. */
export interface OpenedTable {
  readonly deltaLog: DeltaLog
  readonly logStorage: LogStorage
  /** Replays the WAL into the active memtable; undefined if that has been done. */
  readonly replay: (() => Promise<void>) | undefined
}

/**
 * Loads a table from disk into `layers`: its files, after cleaning up after a crash, and the rows
 * of its WAL, unless that is large. If other engines have made the table read-only for us, nothing
 * in its folder changes.
 *
 * @throws DataFolderError if the table cannot be read, or its last commit is damaged or lost
 */
export async function openTable(options: OpenTableOptions): Promise<OpenedTable> {
  const { layers, followConnection: writer, storage, codec, log } = options
  const { table, layout } = layers
  await storage.prepare(writer)
  const deltaLog = await openDeltaLog(writer, table.name, storage)
  requireSchema(table, deltaLog.state)
  await storage.adopt(deltaLog.state)
  const flushedThrough = deltaLog.state.transaction(storage.logApplication) ?? 0
  const unnamed = await findUnreferencedFiles(layout, deltaLog.state)
  await refuseLostCommit({ layout, tableName: table.name, state: deltaLog.state, unnamed, flushedThrough })
  if (unnamed.length > 0) log.warn({ files: unnamed }, 'found data files that no commit names; left them in place')
  const isWritable = writeRefusal(table, deltaLog.state) === undefined
  if (isWritable) await prepareFolder(options, deltaLog)
  const { state } = deltaLog
  const faults = new Map<string, string>()
  await layers.keyIndex.open(
    state.files.map(({ add }) => fileNameOf(add.path)),
    { mayWrite: isWritable },
  )
  const dataFiles = await openDataFiles({
    table,
    layout,
    writer,
    files: state.files,
    log,
    mayWrite: isWritable,
    faults,
    placeOf: layers.keyIndex.placeOf,
    room: options.filterRoom,
  })
  layers.files.init(dataFiles)
  await layers.damaged.load(faults, dataFiles)
  if (isWritable) {
    await removeUncommitted(layout, new Set(dataFiles.map(({ fileName }) => fileName)), log)
    await removeOrphanedIndexFiles(layout, dataFiles, log)
    deferReplaced(options, state)
  }
  const backlog = await storage.findLog({ codec, log, flushedThrough, mayWrite: isWritable })
  const { bytes, storage: logStorage } = backlog
  if (bytes > options.logReplayedAtOpenBytesMax) {
    log.info({ bytes }, 'replaying the WAL in the background')
    backlog.readAhead?.()
    return { deltaLog, logStorage, replay: () => replayLargeLog(options, backlog) }
  }
  await replayLog(options, backlog)
  void layers.active.indexBuilder.settle()
  return { deltaLog, logStorage, replay: undefined }
}

async function openDeltaLog(writer: Writer, tableName: string, { layout, delta }: TableStorage): Promise<DeltaLog> {
  try {
    return await DeltaLog.open(writer, layout.deltaLog, delta)
  } catch (cause) {
    if (!(cause instanceof DamagedCommit)) throw cause
    throw new DataFolderError(
      `Cannot open table ${tableName}: ${cause.message}. Nothing was changed. Restore that commit from a copy; ` +
        'or, if it is the last one, move it out of the folder together with the data files that only it names',
      { cause },
    )
  }
}

/** Creates folders and cleans up the Delta log. */
async function prepareFolder({ layers, storage, clock, log }: OpenTableOptions, deltaLog: DeltaLog): Promise<void> {
  const { table, layout } = layers
  for (const folder of [layout.folder, layout.wal, layout.filters, layout.unfinished])
    await storage.ensureFolder(folder)
  for (const { names, cause } of deltaLog.state.damaged)
    log.warn(
      { err: cause, files: names },
      'cannot read a checkpoint of the Delta log; set it aside and read the table without it',
    )
  await deltaLog.clean()
  if (missingColumns(table, deltaLog.state).length === 0) return
  if (!(await deltaLog.tryCommit(tableActions(table, clock.nowMs(), deltaLog.state.metaData))))
    throw new DataFolderError(
      `Cannot open table ${table.name}: another engine is committing to it; start the server again later`,
    )
}

/** Schedules the deletion of files that this store replaced before a crash. */
function deferReplaced({ layers, clock }: OpenTableOptions, { removed, files }: DeltaState): void {
  const named = new Set(files.map(({ add }) => add.path))
  for (const remove of removed) {
    if (!isReplacedByUs(remove) || named.has(remove.path)) continue
    layers.files.retirePrevious(fileNameOf(remove.path), remove.deletionTimestamp ?? 0, clock.nowMs())
  }
}

/** The same as `replayLog`, with a connection of its own. */
async function replayLargeLog(options: OpenTableOptions, backlog: LogBacklog): Promise<void> {
  const { active } = options.layers
  const loader = await options.connect()
  try {
    await options.layers.drainTogether(loader, async () => {
      await replayRows(options, backlog)
      while (active.dirty.size > 0) await drainRows(options)
    })
  } finally {
    loader.close()
  }
  // Rows are found, removed and appended again: DuckDB is quick at that once they are committed.
  await drain(options)
  // Readers that waited for the replay come first.
  void delay(storageLimits.hashedAfterReplayMs).then(() => active.indexBuilder.settle())
}

/** Replays the WAL into the active memtable, and cleans it up. */
async function replayLog(options: OpenTableOptions, backlog: LogBacklog): Promise<void> {
  await replayRows(options, backlog)
  if (backlog.isDrained) await drain(options)
}

/** Applies all rows of the WAL; the last ones, and what rows learn, are not drained yet. */
async function replayRows(options: OpenTableOptions, backlog: LogBacklog): Promise<void> {
  const slice = new TimeSlice()
  // Readers do not need the index, so they need not wait for it.
  options.layers.active.indexBuilder.defer()
  const apply = async (rows: readonly DirtyRow[]) => {
    await applyRows(options, rows)
    await slice.yieldIfExpired()
  }
  await backlog.replay(apply)
}

/**
 * Applies rows to the active memtable. A large log is drained in pieces, so that it is never in
 * memory twice, and small ones, so that readers of other tables get their turn. What rows of
 * earlier pieces learn waits until the end.
 */
async function applyRows(options: OpenTableOptions, rows: readonly DirtyRow[]): Promise<void> {
  const { active } = options.layers
  for (let from = 0; from < rows.length; from += storageLimits.replayedRowsMax) {
    active.applyUnaccounted(rows.slice(from, from + storageLimits.replayedRowsMax), options.clock.nowMs())
    while (active.dirty.size >= storageLimits.replayedRowsMax || active.dirtyBytes >= storageLimits.dirtyBytesMax)
      await drainRows(options)
  }
}

/** Drains one step of the rows that have been applied into DuckDB. */
const drainRows = (options: OpenTableOptions): Promise<number> =>
  underLock(options, ({ layers }) => layers.materialize('lessons stay'))

/** Drains all that has been applied, and what rows learn. */
const drain = (options: OpenTableOptions): Promise<void> => underLock(options, ({ layers }) => layers.materializeAll())

const underLock = <T>(options: OpenTableOptions, task: (options: OpenTableOptions) => Promise<T>): Promise<T> =>
  retryIfReplaced(() => options.layersLock.run(() => task(options)), options)
