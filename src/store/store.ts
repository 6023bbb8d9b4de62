import { Database } from '../duck/database.ts'
import type { ReadLimits } from '../duck/reader.ts'
import type { ReaderPool } from '../duck/reader-pool.ts'
import { Writer } from '../duck/writer.ts'
import { DomainError } from '../errors.ts'
import type { Row, Table } from '../kernel/table.ts'
import { limits } from '../limits.ts'
import type { Log } from '../log.ts'
import type { Clock } from '../platform/clock.ts'
import { sleep } from '../platform/event-loop.ts'
import { Deadline } from './deadline.ts'
import { findRow, type NamedCells } from './find-row.ts'
import { LockedFolder } from './locked-folder.ts'
import { Mutex } from './mutex.ts'
import { Readers } from './readers.ts'
import { readRedone, replacedOr, streamRedone, type Views } from './redone-reads.ts'
import type { Snapshot, StreamSnapshot } from './snapshot.ts'
import { SnapshotBatcher } from './snapshot-batcher.ts'
import { type FlushedTable, type StoreSize, type StoreStats, sumSizes } from './stats.ts'
import { retryIfReplaced } from './table/files-replaced.ts'
import { TableStore } from './table/table-store.ts'
import { takeSnapshot } from './take-snapshot.ts'

export interface StoreOptions {
  readonly dataFolder: string
  readonly tables: readonly Table[]
  readonly memoryBytesMax: number
  /** How long a read may wait for its turn, unless it says otherwise. */
  readonly queryTimeoutMs?: number
  /** How long commits of the Delta logs stay that a checkpoint holds; `limits.logKeptMs` unless said otherwise. */
  readonly logKeptMs?: number
  readonly clock: Clock
  readonly log: Log
}

/** Looks at rows that are being written, and says what to do when they are stored; nothing where they do not matter to it. */
export type Watcher = (rows: readonly Row[]) => (() => void) | undefined

/** All tables of one data folder. One process opens it at a time. */
export class Store {
  private readonly folder: LockedFolder
  private readonly database: Database
  private readonly readers: Readers
  /** `writer` changes the hot parts, `flusher` writes files. */
  private readonly writers: { readonly writer: Writer; readonly flusher: Writer }
  private readonly layersLock = new Mutex()
  private readonly batcher = new SnapshotBatcher(this.layersLock)
  private readonly tables = new Map<string, TableStore>()
  private readonly scouts: Writer[] = []
  private readonly watchers = new Map<string, Watcher>()
  private readonly log: Log
  private readonly queryTimeoutMs: number
  private timer: ReturnType<typeof setInterval> | undefined
  private closing = false
  private isLostTold = false
  private checking: Promise<void> | undefined
  private tellLost: ((reason: string) => void) | undefined

  private constructor(
    folder: LockedFolder,
    database: Database,
    writers: { writer: Writer; flusher: Writer },
    { log, queryTimeoutMs = limits.queryTimeoutMs }: StoreOptions,
  ) {
    this.queryTimeoutMs = queryTimeoutMs
    this.folder = folder
    this.database = database
    this.writers = writers
    this.log = log
    this.readers = new Readers(database, folder.temporaryFolder, () => this.checkFiles())
  }

  /**
   * Opens the folder, replays what is only in the log and makes what is missing.
   *
   * @throws DataFolderInUse where another process has it open
   */
  static async open(options: StoreOptions): Promise<Store> {
    const { memoryBytesMax, log } = options
    const folder = await LockedFolder.acquire(options.dataFolder, options.clock, log)
    try {
      const database = await Database.open({ memoryBytesMax, temporaryFolder: folder.temporaryFolder })
      const writers = { writer: new Writer(await database.connect()), flusher: new Writer(await database.connect()) }
      const store = new Store(folder, database, writers, options)
      const { layersLock } = store
      const shared = {
        logKeptMs: limits.logKeptMs,
        ...options,
        ...writers,
        layersLock,
        flushLock: new Mutex(),
        assertHeld: () => folder.assertHeld(),
      }
      for (const table of options.tables) {
        const scout = new Writer(await database.connect())
        store.scouts.push(scout)
        store.tables.set(table.name, await TableStore.open({ ...shared, table, scout }))
      }
      store.timer = setInterval(() => store.upkeep(), limits.flushCheckMs)
      return store
    } catch (cause) {
      await folder.release().catch((err: unknown) => log.warn({ err }, 'the data folder could not be marked as free'))
      throw cause
    }
  }

  /**
   * Stores parts of rows of one table: durable and visible when this returns. The rows belong to the store from then on.
   *
   * @throws DomainError Overloaded, StoreUnavailable
   */
  async write(tableName: string, rows: readonly Row[]): Promise<void> {
    this.refuseIfLost()
    const stored = this.watchers.get(tableName)?.(rows)
    await this.table(tableName).write(rows)
    stored?.()
  }

  /**
   * Lets `watcher` see what is written to a table until the returned function is called. One watcher a table. It is called before the
   * rows go to the store; what it returns is called once they are durable and visible, in the order of the log.
   */
  watch(tableName: string, watcher: Watcher): () => void {
    this.watchers.set(tableName, watcher)
    return () => this.watchers.delete(tableName)
  }

  /**
   * A view of the named tables as they are now; everything acknowledged before the call is in it. It is for looking something up:
   * whoever holds it waits for DuckDB alone, takes no other view and writes nothing. So every lookup ends by itself.
   *
   * @param signal ends the waiting for a reader and for rows to move
   * @throws DomainError Overloaded, QueryTimeout, RequestCancelled
   */
  async snapshot(tableNames: readonly string[], signal?: AbortSignal): Promise<Snapshot> {
    return await this.takeView(this.readers.lookups, tableNames, signal)
  }

  /**
   * What `read` finds in a view as `snapshot` takes it. Where another program replaces files of the view meanwhile, it reads another view; so it
   * changes nothing.
   *
   * @throws what `read` throws; DomainError like `snapshot`
   */
  async read<T>(
    tableNames: readonly string[],
    read: (snapshot: Snapshot) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return await readRedone(this.views(tableNames, signal), read)
  }

  /**
   * A view whose rows are handed on while they are read. Whoever holds it may meanwhile wait for a client, write, or look something up,
   * which has readers of its own and so never waits for streams; but not open another stream.
   *
   * @param signal ends the waiting for a reader and for rows to move
   * @throws DomainError Overloaded, QueryTimeout, RequestCancelled
   */
  async streamSnapshot(tableNames: readonly string[], signal?: AbortSignal): Promise<StreamSnapshot> {
    return await this.takeView(this.readers.streams, tableNames, signal)
  }

  /** As `read`, from a view as `streamSnapshot` takes it: what `read` writes to a file it writes anew. */
  async readLong<T>(
    tableNames: readonly string[],
    read: (snapshot: StreamSnapshot) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return await readRedone(this.streamViews(tableNames, signal), read)
  }

  /**
   * What `read` yields from a view as `streamSnapshot` takes it. Where another program replaces files of the view before anything was yielded, it
   * reads another view.
   *
   * @throws what `read` throws; DomainError like `streamSnapshot`
   */
  async *stream<T>(
    tableNames: readonly string[],
    read: (snapshot: StreamSnapshot) => AsyncIterable<T>,
    signal?: AbortSignal,
  ): AsyncGenerator<T> {
    yield* streamRedone(this.streamViews(tableNames, signal), read)
  }

  private async takeView(
    readers: ReaderPool,
    tableNames: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<StreamSnapshot> {
    const { batcher, log, queryTimeoutMs: timeoutMs } = this
    const tables = this.tablesOf(tableNames)
    await followOthersBeforeRead(tables)
    return await retryIfReplaced(
      () => takeSnapshot({ tables, readers, batcher, log, timeoutMs, signal }),
      () => followOthers(tables),
    )
  }

  private views(tableNames: readonly string[], signal?: AbortSignal): Views<Snapshot> {
    const follow = () => followOthers(this.tablesOf(tableNames))
    return { take: () => this.snapshot(tableNames, signal), follow }
  }

  private streamViews(tableNames: readonly string[], signal?: AbortSignal): Views<StreamSnapshot> {
    const follow = () => followOthers(this.tablesOf(tableNames))
    return { take: () => this.streamSnapshot(tableNames, signal), follow }
  }

  /** Whether a stream whose client takes nothing is to end, because others wait for its reader; see `ReaderPool.requestPreemption`. */
  shouldYieldReader(): boolean {
    return this.readers.streams.requestPreemption()
  }

  /**
   * Cells of the row with a key, where only files can hold it: then it is read without a snapshot, and nothing that is being written has to
   * move into tables first.
   *
   * @returns null where surely there is no such row; undefined where a snapshot has to be asked
   * @throws DomainError Overloaded, QueryTimeout
   */
  async rowInFiles(
    tableName: string,
    key: { readonly projectId: string; readonly id: string },
    columns: readonly string[],
    limits: ReadLimits,
  ): Promise<NamedCells | null | undefined> {
    const table = this.table(tableName)
    await table.followOthersBeforeRead()
    return await retryIfReplaced(
      () => this.rowInFilesOf(table, key, columns, limits),
      () => table.followOthers(),
    )
  }

  private async rowInFilesOf(
    table: TableStore,
    key: { readonly projectId: string; readonly id: string },
    columns: readonly string[],
    limits: ReadLimits,
  ): Promise<NamedCells | null | undefined> {
    using deadline = new Deadline(limits.timeoutMs, limits.signal)
    const holding = this.layersLock.run(async () => table.pinFilesFor(key.projectId, key.id))
    const held = await deadline.orGiveUp(holding, (late) => late?.release())
    if (held === undefined) return undefined
    try {
      if (held.dataFiles.length === 0) return null
      const readers = await this.readers.pointReaders()
      const left = { ...limits, timeoutMs: Math.max(1, limits.timeoutMs - deadline.waitedMs) }
      return (await findRow(readers, { ...held, ...key, columns, limits: left, signal: deadline.signal })) ?? null
    } catch (cause) {
      throw await replacedOr(cause, held)
    } finally {
      await held.release()
    }
  }

  /** A path in the temporary folder that nothing else uses. What lies there is gone at the next start. */
  temporaryFile(ending: string): string {
    return this.folder.temporaryFile(ending)
  }

  /** Whether the store takes writes, and if not, why. */
  state(): { ok: true; damagedFiles?: number } | { ok: false; reason: string } {
    if (this.folder.lost !== undefined) return { ok: false, reason: this.folder.lost }
    if (this.closing) return { ok: false, reason: 'the server is shutting down' }
    for (const [name, table] of this.tables) {
      if (table.failure !== undefined) return { ok: false, reason: `${name}: ${table.failure}` }
    }
    const damagedFiles = [...this.tables.values()].reduce((sum, table) => sum + table.damagedFiles, 0)
    return damagedFiles === 0 ? { ok: true } : { ok: true, damagedFiles }
  }

  /** Rows of one table, on disk and in memory; a row that hides one on disk counts twice. */
  rowsOf(tableName: string): number {
    const { fileRows, memtableRows } = this.table(tableName).size
    return fileRows + memtableRows
  }

  /** What the store holds, does and uses right now. */
  async stats(): Promise<StoreStats> {
    return {
      tables: [...this.tables.values()].map(({ stats }) => stats),
      readers: this.readers.stats,
      duckdb: await this.database.memory(),
    }
  }

  /** Sizes summed over all tables. */
  get size(): StoreSize {
    return sumSizes([...this.tables.values()].map(({ size }) => size))
  }

  /** Writes everything hot to Parquet; with `retainIncomplete`, rows that still wait for their other half stay for a while. */
  async flush(options: { retainIncomplete: boolean } = { retainIncomplete: true }): Promise<void> {
    for (const table of this.tables.values()) await table.flush(options)
  }

  /** Writes everything that was accepted to the files, rows included that still wait for their other half. */
  async flushAll(): Promise<FlushedTable[]> {
    const flushed: FlushedTable[] = []
    for (const table of this.tables.values()) flushed.push(await table.flushAll())
    return flushed
  }

  /** Puts all files together that are not full. By itself the store does so where many have piled up. */
  async compact(): Promise<void> {
    for (const table of this.tables.values()) await table.compact()
  }

  /** Flushes and closes everything; the folder is free afterwards. */
  async close(): Promise<void> {
    this.closing = true
    clearInterval(this.timer)
    await this.folder.assertHeld().catch(() => {})
    for (const table of this.tables.values()) {
      await table.close().catch((err: unknown) => {
        this.log.error(
          { err, table: table.table.name },
          'flush at shutdown failed; the rows stay in the log for the next start',
        )
      })
    }
    await this.readers.close()
    this.writers.writer.close()
    this.writers.flusher.close()
    for (const scout of this.scouts) scout.close()
    this.database.close()
    await this.folder
      .release()
      .catch((err: unknown) => this.log.warn({ err }, 'the data folder could not be marked as free'))
  }

  /** In the background, one at a time and not over and over: a read has failed that may have met a damaged file. */
  private checkFiles(): void {
    if (this.checking !== undefined || this.closing) return
    const check = async () => {
      for (const table of this.tables.values()) if (!this.closing) await table.checkFiles()
      await sleep(this.closing ? 0 : limits.fileCheckPauseMs)
    }
    this.checking = check()
      .catch((err: unknown) => this.log.error({ err }, 'looking for damaged files failed'))
      .finally(() => {
        this.checking = undefined
      })
  }

  private refuseIfLost(): void {
    const { lost } = this.folder
    if (lost !== undefined) throw new DomainError('StoreUnavailable', `Store the request: ${lost}`)
  }

  /**
   * Calls `handle` when the folder turns out to be no longer ours. Nothing is stored from then on, and what is in memory is not written to
   * files: it is in the log, and whoever has the folder now has read it there. The process is to end without `close`.
   */
  onLost(handle: (reason: string) => void): void {
    this.tellLost = handle
  }

  private async checkHeld(): Promise<void> {
    const wasLost = this.isLostTold
    // Why it cannot be told, where it cannot, is told by the next write.
    await this.folder.assertHeld().catch(() => {})
    const { lost } = this.folder
    if (lost === undefined || wasLost) return
    this.isLostTold = true
    clearInterval(this.timer)
    this.log.fatal({ reason: lost }, 'the data folder is no longer held; nothing more is stored')
    this.tellLost?.(lost)
  }

  private table(name: string): TableStore {
    const table = this.tables.get(name)
    if (table === undefined) throw new Error(`Use the table ${name}: there is none`)
    return table
  }

  private tablesOf(names: readonly string[]): TableStore[] {
    return names.map((name) => this.table(name))
  }

  private upkeep(): void {
    void this.checkHeld()
    if (this.folder.lost !== undefined) return
    for (const table of this.tables.values()) {
      const failed = (what: string) => (err: unknown) =>
        this.log.error({ err, table: table.table.name }, `${what} failed; it will be tried again`)
      // Why it still fails was logged when it began; /health says so until it ends.
      table.probeLog().catch(() => {})
      // The table reports it itself.
      table.followOthers().catch(() => {})
      table.flushIfDue().catch(failed('flush'))
      table.compactIfDue().catch(failed('putting files together'))
      table.indexIfDue().catch(failed('making the key index of files'))
      table.removeReplaced().catch(failed('removing replaced files'))
    }
  }
}

const followOthersBeforeRead = (tables: readonly TableStore[]) =>
  Promise.all(tables.map((table) => table.followOthersBeforeRead()))

const followOthers = (tables: readonly TableStore[]) => Promise.all(tables.map((table) => table.followOthers()))
