import { Mutex } from '../lib/concurrency.ts'
import { DomainError } from '../lib/errors.ts'
import { filterBytes, footersKept, memtableBytes } from '../lib/limits/memory.ts'
import { cacheLimits, lakeLimits } from '../lib/limits/objects.ts'
import { readLimits } from '../lib/limits/reads.ts'
import { storageLimits } from '../lib/limits/storage.ts'
import type { Table } from '../lib/table.ts'
import { Database } from '../runtime/duck/database.ts'
import { Writer } from '../runtime/duck/writer.ts'
import type { Log } from '../runtime/log.ts'
import type { Clock } from '../runtime/platform/clock.ts'
import { delay } from '../runtime/platform/event-loop.ts'
import { findDiskSpace } from '../runtime/platform/files/files.ts'
import { DiskSpace, type FindSpace } from './disk-space.ts'
import { ErasingProjects } from './erasure.ts'
import { LockWatch } from './folder/lock-watch.ts'
import type { LockedFolder } from './folder/locked-folder.ts'
import { BlockCache } from './key-index/block-cache.ts'
import type { Fenced } from './lake/fenced-log.ts'
import { type LakeAccess, type LakeOptions, lakeAccess, openLakeFiles, storageOf } from './lake-parts.ts'
import { openTables } from './open-tables.ts'
import { Readers } from './reads/readers.ts'
import { Reads } from './reads/reads.ts'
import type { StoreStats } from './stats.ts'
import { localFiles, type StoredFiles } from './stored-files.ts'
import { TableStore } from './table/table-store.ts'

/** Looks for damaged data files in the background after a read has failed that may have met one. */
class DamageChecks {
  private readonly tables: ReadonlyMap<string, TableStore>
  private readonly log: Log
  private checking: Promise<void> | undefined
  private isStopped = false

  constructor(tables: ReadonlyMap<string, TableStore>, log: Log) {
    this.tables = tables
    this.log = log
  }

  /** Checks all data files, unless a check is running or has just ended. */
  checkSoon(): void {
    if (this.checking !== undefined || this.isStopped) return
    this.checking = this.check()
      .catch((err: unknown) => this.log.error({ err }, 'search for damaged files failed'))
      .finally(() => {
        this.checking = undefined
      })
  }

  /** Ends a running check after the current table. */
  stop(): void {
    this.isStopped = true
  }

  private async check(): Promise<void> {
    for (const table of this.tables.values()) if (!this.isStopped) await table.checkFiles()
    await delay(this.isStopped ? 0 : storageLimits.fileCheckPauseMs)
  }
}

export interface StoreOptions {
  readonly dataFolder: string
  readonly tables: readonly Table[]
  readonly memoryBytesMax: number
  /**
   * Bounds the wait of a read for its snapshot, and each of its statements including that wait.
   * Default `readLimits.queryTimeoutMs`.
   */
  readonly queryTimeoutMs?: number
  /** How long Delta commits are kept that a checkpoint covers; by default `logKeptMs`. */
  readonly logKeptMs?: number
  /** How long replaced data files are kept. Default `storageLimits.replacedFilesKeptMs`. */
  readonly versionsKeptMs?: number
  /** A write-ahead log of more bytes is replayed after the store is open. Default from `limits`. */
  readonly logReplayedAtOpenBytesMax?: number
  /** Bytes to keep free on the disk; see `DiskSpace`. */
  readonly reservedBytes?: number | undefined
  /** Size of cold files on disk; by default there are none. */
  readonly coldBytesMax?: number
  /** Default: what the file system says. */
  readonly findSpace?: FindSpace
  /** Keeps the tables in an object store; the folder is a cache of them. */
  readonly lake?: LakeOptions
  readonly clock: Clock
  readonly log: Log
}

/** The components of a store. */
export interface StoreParts {
  readonly folder: LockedFolder
  /** Undefined if the data is in the folder. */
  readonly lake: LakeAccess | undefined
  readonly lock: LockWatch
  readonly space: DiskSpace
  readonly database: Database
  /** Connections that change memtables, write data files, and read other programs' commits. */
  readonly writers: readonly Writer[]
  readonly readers: Readers
  readonly tables: ReadonlyMap<string, TableStore>
  readonly reads: Reads
  readonly damageChecks: DamageChecks
  readonly erasing: ErasingProjects
  readonly refusal: () => string | undefined
  readonly log: Log
}

/** Opens the tables of a locked folder, and what works on them. */
export async function openParts(folder: LockedFolder, options: StoreOptions): Promise<StoreParts> {
  const { dataFolder, memoryBytesMax, log, queryTimeoutMs: timeoutMs = readLimits.queryTimeoutMs } = options
  const lock = new LockWatch(folder, log)
  const lakeFiles = options.lake && (await openLakeFiles(dataFolder, options.lake))
  const files: StoredFiles = lakeFiles ?? localFiles
  const database = await Database.open({
    memoryBytesMax,
    temporaryFolder: folder.temporaryFolder,
    files: lakeFiles,
    footersMax: footersKept(memoryBytesMax),
  })
  const writers: Writer[] = []
  const connect = async () => {
    const writer = new Writer(await database.connect())
    writers.push(writer)
    return writer
  }
  const layersLock = new Mutex()
  const assertHeld = () => folder.assertHeld()
  const onFenced = ({ message }: Fenced) => {
    folder.lost ??= message
    void lock.check()
  }
  const erasing = new ErasingProjects()
  const space = new DiskSpace({
    find: options.findSpace ?? (() => findDiskSpace(dataFolder)),
    reserveBytes: options.reservedBytes,
    log,
  })
  const versionsKeptMs = options.versionsKeptMs ?? storageLimits.replacedFilesKeptMs
  const shared = {
    logReplayedAtOpenBytesMax: storageLimits.logReplayedAtOpenBytesMax,
    ...options,
    retention: {
      logKeptMs: options.logKeptMs ?? storageLimits.logKeptMs,
      versionsKeptMs,
      // See docs/decisions/296-what-a-node-leaves-behind.md.
      endsAtClose: options.lake === undefined && versionsKeptMs <= storageLimits.replacedFilesKeptMs,
    },
    coldBytesMax: coldBytesOf(options),
    hasRoomFor: (bytes: number) => space.hasRoomFor(bytes),
    hiddenProjects: erasing.hidden,
    writer: await connect(),
    flusher: await connect(),
    rewriter: await connect(),
    layersLock,
    flushLock: new Mutex(),
    memtableBytesMax: memtableBytes(memoryBytesMax),
    keyBlocks: new BlockCache(filterBytes(memoryBytesMax)),
    filterRoom: { bytesLeft: filterBytes(memoryBytesMax) },
    rewriteLock: new Mutex(),
    connect: async () => new Writer(await database.connect()),
    assertHeld,
    storageOf: await storageOf(options, { assertHeld, onFenced, lakeFiles }),
  }
  const open = async (table: Table): Promise<TableStore> => {
    const rollupWriter = table.rollup && (await connect())
    return await TableStore.open({ ...shared, table, followConnection: await connect(), rollupWriter })
  }
  // With a lake, opening is mostly waiting for the store.
  const atOnce = options.lake === undefined ? 1 : lakeLimits.tablesOpenedAtOnce
  const tables = await openTables(options.tables, { open, atOnce, log })
  await space.check()
  const damageChecks = new DamageChecks(tables, log)
  const readers = new Readers(database, {
    files,
    onUnreadable: () => damageChecks.checkSoon(),
    isFlushBehind: () => tables.values().some(({ isFlushBehind }) => isFlushBehind),
  })
  const reads = new Reads({ tables, readers, layersLock, timeoutMs, log })
  return {
    folder,
    lake: lakeFiles && (await lakeAccess(lakeFiles, { tables, parquet: readers.files, log })),
    lock,
    space,
    database,
    writers,
    readers,
    tables,
    reads,
    damageChecks,
    erasing,
    refusal: options.lake?.refusal ?? (() => undefined),
    log,
  }
}

/** A merge in a lake needs its files in the cache, and as much again for what it writes. */
function coldBytesOf({ coldBytesMax = 0, lake }: StoreOptions): number {
  if (lake === undefined) return coldBytesMax
  return Math.min(coldBytesMax, (lake.cacheBytesMax ?? cacheLimits.bytesMax) / 4)
}

/** Flushes and closes everything, and frees the folder. */
export async function closeParts(parts: StoreParts): Promise<void> {
  const { folder, lake, damageChecks, tables, readers, writers, database, log } = parts
  damageChecks.stop()
  await lake?.prefetch.stop()
  await folder.assertHeld().catch(() => {})
  for (const table of tables.values()) {
    await table.close().catch((err: unknown) => {
      log.error(
        { err, table: table.table.name },
        'flush at shutdown failed; the rows stay in the log for the next start',
      )
    })
  }
  readers.close()
  for (const writer of writers) writer.close()
  database.close()
  await lake?.cache.close().catch((err: unknown) => log.warn({ err }, 'could not note what the cache has'))
  await folder.release().catch((err: unknown) => log.warn({ err }, notReleased))
}

export const notReleased = 'the data folder could not be marked as free'

/** Whether a store accepts writes, and if not, why. */
export type StoreState = { ok: true; damagedFiles?: number } | { ok: false; reason: string }

/** @throws DomainError StoreUnavailable if rows cannot be stored now */
export function refuseIfUnavailable({ lock, refusal }: Pick<StoreParts, 'lock' | 'refusal'>): void {
  lock.refuseIfLost()
  const reason = refusal()
  if (reason !== undefined) throw new DomainError('StoreUnavailable', `Cannot store the request: ${reason}`)
}

export function storeState({ lock, space, tables, refusal }: StoreParts, isClosing: boolean): StoreState {
  const reason = lock.lost ?? refusal()
  if (reason !== undefined) return { ok: false, reason }
  if (isClosing) return { ok: false, reason: 'the server is shutting down' }
  for (const [name, table] of tables) {
    if (table.failure !== undefined) return { ok: false, reason: `${name}: ${table.failure}` }
  }
  if (space.shortage !== undefined) return { ok: false, reason: `${space.shortage}; writes are refused` }
  const damagedFiles = [...tables.values()].reduce((sum, table) => sum + table.damagedFiles, 0)
  return damagedFiles === 0 ? { ok: true } : { ok: true, damagedFiles }
}

export const storeStats = async ({ tables, readers, database }: StoreParts): Promise<StoreStats> => ({
  tables: [...tables.values()].map(({ stats }) => stats),
  readers: readers.stats,
  duckdb: await database.memory(),
})
