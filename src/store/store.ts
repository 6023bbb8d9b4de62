import { v7 as uuid } from 'uuid'
import { Database } from '../duck/database.ts'
import { FolderLock } from '../duck/folder-lock.ts'
import type { Reader } from '../duck/reader.ts'
import { ReaderPool } from '../duck/reader-pool.ts'
import { Writer } from '../duck/writer.ts'
import { limits } from '../limits.ts'
import type { Log } from '../log.ts'
import type { Row, Table } from '../model/table.ts'
import type { Clock } from '../platform/clock.ts'
import { ensureFolder, findText, joinPath, removeFolder, writeFileDurably } from '../platform/files.ts'
import { processId } from '../platform/runtime.ts'
import { holderFile, lockFile, temporaryFolder } from './layout.ts'
import { Mutex } from './mutex.ts'
import { Snapshot, type StreamSnapshot } from './snapshot.ts'
import { type PinnedTable, type TableFigures, TableStore } from './table-store.ts'

export interface StoreOptions {
  readonly dataFolder: string
  readonly tables: readonly Table[]
  readonly memoryBytesMax: number
  readonly clock: Clock
  readonly log: Log
}

/** Another process holds the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
}

/** Looks at rows that are being written, and says what to do when they are stored; nothing where they do not matter to it. */
export type Watcher = (rows: readonly Row[]) => (() => void) | undefined

export interface StoreFigures {
  readonly tables: readonly TableFigures[]
  /** Reads under way, and those that wait for one of them to end. */
  readonly readers: { readonly busy: number; readonly waiting: number }
  readonly duckdb: { readonly memoryBytes: number; readonly spilledBytes: number }
}

/** All tables of one data folder. One process opens it at a time. */
export class Store {
  private readonly database: Database
  private readonly lock: FolderLock
  private readonly lookups: ReaderPool
  private readonly streams: ReaderPool
  private readonly layers = new Mutex()
  private readonly flushes = new Mutex()
  private readonly tables = new Map<string, TableStore>()
  private readonly writers: Writer[]
  private readonly log: Log
  private readonly temporaryFolder: string
  private readonly watchers = new Map<string, Watcher>()
  private points: Promise<{ database: Database; readers: ReaderPool }> | undefined
  private timer: ReturnType<typeof setInterval> | undefined
  private closing = false

  private constructor(database: Database, lock: FolderLock, writers: Writer[], { log, dataFolder }: StoreOptions) {
    this.database = database
    this.lock = lock
    this.writers = writers
    this.log = log
    this.temporaryFolder = temporaryFolder(dataFolder)
    const waitingMax = limits.readersWaitingMax
    this.lookups = new ReaderPool(database, { readersMax: limits.lookupsMax, waitingMax })
    this.streams = new ReaderPool(database, { readersMax: limits.streamsMax, waitingMax })
  }

  /**
   * Opens the folder, replays what is only in the log and makes what is missing.
   *
   * @throws FolderInUse where another process has it open
   */
  static async open(options: StoreOptions): Promise<Store> {
    const { dataFolder } = options
    await ensureFolder(dataFolder)
    const lock = await FolderLock.tryAcquire(lockFile(dataFolder))
    if (lock === undefined) throw new FolderInUse(await describeHolder(dataFolder))
    try {
      await writeFileDurably(
        holderFile(dataFolder),
        `${JSON.stringify({ pid: processId(), started_at: new Date(options.clock.nowMs()) })}\n`,
      )
      await removeFolder(temporaryFolder(dataFolder))
      await ensureFolder(temporaryFolder(dataFolder))
      const database = await Database.open({
        memoryBytesMax: options.memoryBytesMax,
        temporaryFolder: temporaryFolder(dataFolder),
      })
      const writers = [new Writer(await database.connect()), new Writer(await database.connect())]
      const store = new Store(database, lock, writers, options)
      for (const table of options.tables) {
        const [writer, flusher] = writers as [Writer, Writer]
        store.tables.set(
          table.name,
          await TableStore.open({ ...options, table, writer, flusher, layers: store.layers, flushes: store.flushes }),
        )
      }
      store.timer = setInterval(() => store.flushDue(), limits.flushCheckMs)
      return store
    } catch (cause) {
      lock.release()
      throw cause
    }
  }

  /**
   * Stores parts of rows of one table: durable and visible when this returns. The rows belong to the store from then on.
   *
   * @throws DomainError Overloaded, StoreUnavailable
   */
  async write(tableName: string, rows: readonly Row[]): Promise<void> {
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
   * @throws DomainError Overloaded
   */
  snapshot(tableNames: readonly string[]): Promise<Snapshot> {
    return this.snapshotFrom(this.lookups, tableNames)
  }

  /**
   * A view whose rows are handed on while they are read. Whoever holds it may meanwhile wait for a client, write, or look something up,
   * which has readers of its own and so never waits for streams; but not open another stream.
   *
   * @throws DomainError Overloaded
   */
  streamSnapshot(tableNames: readonly string[]): Promise<StreamSnapshot> {
    return this.snapshotFrom(this.streams, tableNames)
  }

  private async snapshotFrom(readers: ReaderPool, tableNames: readonly string[]): Promise<StreamSnapshot> {
    const reader = await readers.acquire()
    const tables = tableNames.map((name) => this.table(name))
    const pinned: PinnedTable[] = []
    const unpin = async () => {
      for (const [index, pin] of pinned.entries()) await tables[index]!.unpin(pin)
    }
    try {
      await this.layers.run(async () => {
        for (const table of tables) pinned.push(await table.pin())
        await reader.begin(pinned[0]!.active.tableName)
      })
    } catch (cause) {
      readers.discard(reader)
      await unpin()
      throw cause
    }
    return new Snapshot(reader, pinned, async () => {
      await this.returnReader(readers, reader)
      await unpin()
    })
  }

  /**
   * A view for reading the row with a key and nothing else. Where only files can hold it, it is read by a DuckDB that is made for
   * that; then nothing that is being written has to move into tables first.
   *
   * @returns null where surely there is no such row
   * @throws DomainError Overloaded
   */
  async snapshotOfRow(tableName: string, projectId: string, id: string): Promise<Snapshot | null> {
    const table = this.table(tableName)
    const pinned = await this.layers.run(async () => table.pinFilesOf(projectId, id))
    if (pinned === 'nowhere') return null
    if (pinned === undefined) return await this.snapshot([tableName])
    try {
      const readers = await this.pointReaders()
      const reader = await readers.acquire()
      return new Snapshot(reader, [pinned], async () => {
        readers.release(reader)
        await table.unpin(pinned)
      })
    } catch (cause) {
      await table.unpin(pinned)
      throw cause
    }
  }

  /** A path in the temporary folder that nothing else uses. What lies there is gone at the next start. */
  temporaryFile(ending: string): string {
    return joinPath(this.temporaryFolder, `${uuid()}.${ending}`)
  }

  /** Whether the store takes writes, and if not, why. */
  state(): { ok: true } | { ok: false; reason: string } {
    if (this.closing) return { ok: false, reason: 'the server is shutting down' }
    for (const [name, table] of this.tables) {
      if (table.failure !== undefined) return { ok: false, reason: `${name}: ${table.failure}` }
    }
    return { ok: true }
  }

  /** Rows of one table, on disk and in memory; a row that hides one on disk counts twice. */
  rowsOf(tableName: string): number {
    const { fileRows, hotRows } = this.table(tableName).size
    return fileRows + hotRows
  }

  /** What the store holds, does and uses right now. */
  async figures(): Promise<StoreFigures> {
    return {
      tables: [...this.tables.values()].map(({ figures }) => figures),
      readers: {
        busy: this.lookups.figures.busy + this.streams.figures.busy,
        waiting: this.lookups.figures.waiting + this.streams.figures.waiting,
      },
      duckdb: await this.database.memory(),
    }
  }

  /** Sizes summed over all tables. */
  get size(): { fileBytes: number; files: number; fileRows: number; hotRows: number } {
    const sum = { fileBytes: 0, files: 0, fileRows: 0, hotRows: 0 }
    for (const { size } of this.tables.values()) {
      sum.fileBytes += size.fileBytes
      sum.files += size.files
      sum.fileRows += size.fileRows
      sum.hotRows += size.hotRows
    }
    return sum
  }

  /** Writes everything hot to Parquet. */
  async flush(): Promise<void> {
    for (const table of this.tables.values()) await table.flush({ keepRunning: true })
  }

  /** Flushes and closes everything; the folder is free afterwards. */
  async close(): Promise<void> {
    this.closing = true
    clearInterval(this.timer)
    for (const table of this.tables.values()) {
      await table.close().catch((err: unknown) => {
        this.log.error(
          { err, table: table.table.name },
          'flush at shutdown failed; the rows stay in the log for the next start',
        )
      })
    }
    this.lookups.close()
    this.streams.close()
    const points = await this.points
    points?.readers.close()
    points?.database.close()
    for (const writer of this.writers) writer.close()
    this.database.close()
    this.lock.release()
  }

  /** Opened when the first row is read, not while the server starts. */
  private async pointReaders(): Promise<ReaderPool> {
    this.points ??= this.openPointDatabase()
    return (await this.points).readers
  }

  private async openPointDatabase(): Promise<{ database: Database; readers: ReaderPool }> {
    const { temporaryFolder } = this
    const memoryBytesMax = limits.pointMemoryBytesMax
    const database = await Database.open({ memoryBytesMax, temporaryFolder, forSingleRows: true })
    const { lookupsMax: readersMax, readersWaitingMax: waitingMax } = limits
    return { database, readers: new ReaderPool(database, { readersMax, waitingMax }) }
  }

  private table(name: string): TableStore {
    const table = this.tables.get(name)
    if (table === undefined) throw new Error(`Use the table ${name}: there is none`)
    return table
  }

  private flushDue(): void {
    for (const table of this.tables.values()) {
      table
        .flushIfDue()
        .catch((err: unknown) =>
          this.log.error({ err, table: table.table.name }, 'flush failed; it will be tried again'),
        )
    }
  }

  private async returnReader(readers: ReaderPool, reader: Reader): Promise<void> {
    try {
      await reader.end()
    } catch (err) {
      this.log.warn({ err }, 'a read connection did not end cleanly and is closed')
      readers.discard(reader)
      return
    }
    readers.release(reader)
  }
}

async function describeHolder(dataFolder: string): Promise<string> {
  const text = await findText(holderFile(dataFolder))
  const pid = text === undefined ? undefined : (JSON.parse(text) as { pid?: number }).pid
  return `Open ${dataFolder}: the process ${pid ?? '(unknown)'} has it open; stop it, or choose another folder with --data`
}
