import type { Row } from '../lib/table.ts'
import { Erasure } from './erasure.ts'
import { LockedFolder } from './folder/locked-folder.ts'
import type { LakeAccess } from './lake-parts.ts'
import { Maintenance } from './maintenance.ts'
import type { FilesSnapshot } from './reads/files-snapshot.ts'
import type { NamedCells } from './reads/find-row.ts'
import { type ReadScope, type RowScope, tableNamed } from './reads/reads.ts'
import type { MaintenanceSnapshot, ProjectsSnapshot, Snapshot, StreamSnapshot } from './reads/snapshot.ts'
import { type FlushedTable, type StoreSize, type StoreStats, sumSizes } from './stats.ts'
import {
  closeParts,
  notReleased,
  openParts,
  type StoreOptions,
  type StoreParts,
  type StoreState,
  storeState,
  storeStats,
} from './store-parts.ts'
import type { FlushOptions } from './table/flush-scheduler.ts'
import type { TableStore } from './table/table-store.ts'
import type { EncodedRows } from './wal/batch-codec.ts'
import type { Watcher } from './watchers.ts'
import { Writes } from './writes.ts'

/**
 * All tables of one data folder, which one process opens at a time. Rows go in through `write` and
 * come out through `read`, `readLong` and `stream`, which pass a snapshot to a callback and release
 * it afterwards. The query time limit applies inside.
 */
export class Store {
  /** Removes rows and projects from the files. */
  readonly erasure: Erasure
  /** Undefined if the data is in the folder. */
  readonly lake: LakeAccess | undefined
  private readonly parts: StoreParts
  private readonly maintenance: Maintenance
  private readonly writes: Writes
  private closing = false

  private constructor(parts: StoreParts) {
    this.parts = parts
    this.lake = parts.lake
    this.maintenance = new Maintenance(parts)
    this.writes = new Writes(parts)
    this.erasure = new Erasure(parts.erasing, (name) => this.table(name))
  }

  /**
   * Opens the folder, replays small write-ahead logs and creates missing tables; see `replayLogs`.
   *
   * @throws DataFolderInUse if another process has it open
   */
  static async open(options: StoreOptions): Promise<Store> {
    const { log, lake } = options
    const folder = lake?.folder ?? (await LockedFolder.acquire(options.dataFolder, options.clock, log))
    try {
      return new Store(await openParts(folder, options))
    } catch (cause) {
      await folder.release().catch((err: unknown) => log.warn({ err }, notReleased))
      throw cause
    }
  }

  /**
   * Begins to replay large write-ahead logs, which takes most of the processor: call it once the
   * server listens. Reads and flushes wait for the logs of their tables, and begin, too.
   */
  replayLogs(): void {
    for (const table of this.parts.tables.values()) table.replayLog()
  }

  /**
   * Stores partial rows of one table: durable and visible when this returns. The store owns the
   * rows from then on.
   *
   * @throws DomainError Overloaded, StoreUnavailable, InsufficientStorage
   */
  async write(tableName: string, rows: readonly Row[]): Promise<void> {
    await this.writes.write(this.table(tableName), rows)
  }

  /**
   * Stores rows of one table that a `BatchCodec` has encoded; see `write`.
   *
   * @param before partial rows that are stored first, in the same write
   * @throws DomainError Overloaded, StoreUnavailable
   */
  async writeEncoded(tableName: string, encoded: EncodedRows, before: readonly Row[] = []): Promise<void> {
    await this.writes.writeEncoded(this.table(tableName), encoded, before)
  }

  /**
   * Lets `watcher` see the writes to a table until the returned function is called. It is called
   * before the rows are stored; what it returns is called once they are durable and visible, in log
   * order.
   */
  watch(tableName: string, watcher: Watcher): () => void {
    return this.writes.watchers.add(tableName, watcher)
  }

  /**
   * Passes `read` a snapshot of the tables that includes every write acknowledged before the call.
   * For lookups: `read` awaits nothing but its statements, so every lookup ends by itself. If
   * another program replaces data files meanwhile, `read` is called again with a newer snapshot, so
   * it must have no side effects.
   *
   * @throws whatever `read` throws; DomainError Overloaded, QueryTimeout, RequestCancelled,
   *   DataDamaged
   */
  read<T>(tableNames: readonly string[], scope: ReadScope, read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.parts.reads.read(tableNames, scope, read)
  }

  /**
   * Like `read`, for long reads: `read` may also wait for a client, write, or do lookups, which
   * have readers of their own and never wait for long reads. It must not begin another long read. A
   * file that it writes it must write anew when called again.
   */
  readLong<T>(
    tableNames: readonly string[],
    scope: ReadScope,
    read: (snapshot: StreamSnapshot) => Promise<T>,
  ): Promise<T> {
    return this.parts.reads.readLong(tableNames, scope, read)
  }

  /** Like `readLong`, for a generator. It is not called again once it has yielded. */
  stream<T>(
    tableNames: readonly string[],
    scope: ReadScope,
    read: (snapshot: StreamSnapshot) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    return this.parts.reads.stream(tableNames, scope, read)
  }

  /** Like `read`, across projects. */
  readForMaintenance<T>(
    tableNames: readonly string[],
    signal: AbortSignal,
    read: (snapshot: MaintenanceSnapshot) => Promise<T>,
  ): Promise<T> {
    return this.parts.reads.readForMaintenance(tableNames, signal, read)
  }

  /** Like `read`, across projects; for answers that are restricted to the projects of a key. */
  readProjects<T>(
    tableNames: readonly string[],
    signal: AbortSignal,
    read: (snapshot: ProjectsSnapshot) => Promise<T>,
  ): Promise<T> {
    return this.parts.reads.readProjects(tableNames, signal, read)
  }

  /**
   * The cells of one row, if only data files can contain it: it is then read without a snapshot, so
   * that recent writes need not be materialized first.
   *
   * @returns null if there is no such row; undefined if only a snapshot can find out
   * @throws DomainError Overloaded, QueryTimeout, RequestCancelled
   */
  rowInFiles(tableName: string, scope: RowScope, columns: readonly string[]): Promise<NamedCells | null | undefined> {
    return this.parts.reads.rowInFiles(tableName, scope, columns)
  }

  /**
   * Passes a view of a table that needs no DuckDB to `read`, if data files have all its rows.
   *
   * @returns null if there are rows in memory: then only a snapshot can answer
   * @throws DomainError Overloaded, QueryTimeout, RequestCancelled
   */
  inFiles<T>(tableName: string, scope: ReadScope, read: (files: FilesSnapshot) => Promise<T>): Promise<T | null> {
    return this.parts.reads.inFiles(tableName, scope, read)
  }

  /** How many rows a table has, without DuckDB; undefined if only a snapshot can tell. */
  countRows(tableName: string, scope: ReadScope): Promise<number | undefined> {
    return this.parts.reads.countRows(tableName, scope)
  }

  /** Whether a stream with a stalled client should end; see `ReaderPool.requestPreemption`. */
  shouldYieldReader(): boolean {
    return this.parts.readers.streams.requestPreemption()
  }

  /** Lets fewer statements of readers run at a time while writes are behind. */
  yieldReadersTo(isBehind: () => boolean): void {
    this.parts.readers.yieldTo(isBehind)
  }

  /** Tells other processes where the server of this folder listens. */
  announce(address: string): Promise<void> {
    return this.parts.folder.announce(address)
  }

  /** A fresh path in the temporary folder, which is emptied at the next start. */
  temporaryFile(ending: string): string {
    return this.parts.folder.temporaryFile(ending)
  }

  /**
   * Call it before and while contents are stored beside the tables.
   *
   * @throws DomainError InsufficientStorage
   */
  refuseContentIfShort(): void {
    this.parts.space.refuseContentIfShort()
  }

  /** Whether the store accepts writes, and if not, why. */
  state(): StoreState {
    return storeState(this.parts, this.closing)
  }

  /**
   * Calls `handle` when the lock on the folder turns out to be lost. Nothing is stored from then
   * on, and the memtables are not flushed: their rows are in the log, which the new owner has
   * replayed. The process should exit without `close`.
   */
  readonly onLost = (handle: (reason: string) => void): void => this.parts.lock.onLost(handle)

  /**
   * Rows of one table on disk and in memory, without those of a log that is not replayed yet. A row
   * that hides one on disk counts twice.
   */
  rowsOf(tableName: string): number {
    const { fileRows, memtableRows } = this.table(tableName).size
    return fileRows + memtableRows
  }

  /** Looks soon which rollups are still there. Call when one could not be read. */
  readonly checkRollups = (tableName: string): void => this.table(tableName).checkRollups()

  /** Whether a table has no rows, not even in a log that is not replayed yet. */
  readonly isEmpty = (tableName: string): boolean => this.table(tableName).isEmpty

  /** Current contents, counters and resource usage of the store. */
  readonly stats = (): Promise<StoreStats> => storeStats(this.parts)

  /** Sizes of all tables combined. */
  get size(): StoreSize {
    return sumSizes([...this.parts.tables.values()].map(({ size }) => size))
  }

  /**
   * Flushes the memtables to Parquet. With `retainIncomplete`, recent rows without their other half
   * stay in memory; with `mayWait`, so do deletions of few rows in large files; without
   * `withParts`, so do parts of rows that cannot be shown.
   */
  async flush(options: FlushOptions = { retainIncomplete: true }): Promise<void> {
    for (const table of this.parts.tables.values()) await table.flush(options)
  }

  /** Flushes everything accepted so far, including incomplete rows. */
  async flushAll(): Promise<FlushedTable[]> {
    return await Array.fromAsync(this.parts.tables.values(), (table) => table.flushAll())
  }

  /** Merges all files that are not full. In the background, only many small files are merged. */
  async compact(): Promise<void> {
    for (const table of this.parts.tables.values()) await table.compact()
  }

  /** Waits for compactions and the like that are underway. None begins afterwards. */
  async endUpkeep(): Promise<void> {
    await Promise.all([...this.parts.tables.values()].map((table) => table.endUpkeep()))
  }

  /** Closes the logs, so that another node can replay them: nothing is stored from then on. */
  async handOver(): Promise<void> {
    this.closing = true
    this.maintenance.stop()
    await Promise.all([...this.parts.tables.values()].map((table) => table.handOver()))
  }

  /** Flushes and closes everything, and frees the folder. */
  async close(): Promise<void> {
    this.closing = true
    this.maintenance.stop()
    await closeParts(this.parts)
  }

  private readonly table = (name: string): TableStore => tableNamed(this.parts.tables, name)
}
