import type { Mutex } from '../../lib/concurrency.ts'
import { DomainError } from '../../lib/errors.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt } from '../../lib/present.ts'
import type { ReaderPool } from '../../runtime/duck/reader-pool.ts'
import type { Log } from '../../runtime/log.ts'
import { Deadline } from '../deadline.ts'
import { areAllInFiles, areListed, listedRowsOf, type PinnedTable } from '../table/pinned-table.ts'
import { FilesReplaced, retryIfReplaced } from '../table/replaced-files.ts'
import type { TableStore } from '../table/table-store.ts'
import { FilesSnapshot } from './files-snapshot.ts'
import { findRow, type NamedCells } from './find-row.ts'
import { noteWait, pinTables, SnapshotBatcher } from './pin-tables.ts'
import type { PinnedTables } from './pinned-tables.ts'
import { relationOfAll } from './project-relation.ts'
import { ProjectSnapshot } from './project-snapshot.ts'
import type { Readers } from './readers.ts'
import type { MaintenanceSnapshot, ProjectsSnapshot, Snapshot, StreamSnapshot } from './snapshot.ts'

/** How a read gets its view of the tables. */
interface Views {
  readonly pin: () => Promise<PinnedTables>
  /** Applies what other programs have committed, so that the next view is of it. */
  readonly follow: () => Promise<unknown>
}

/**
 * Runs `read` on a view, and again on a newer one if another program replaced files of the first.
 */
async function readWithRetry<T>({ pin, follow }: Views, read: (pinned: PinnedTables) => Promise<T>): Promise<T> {
  const once = async () => {
    await using pinned = await pin()
    try {
      return await read(pinned)
    } catch (cause) {
      throw await replacedOr(cause, pinned)
    }
  }
  return await retryIfReplaced(once, { follow })
}

/** The same for a generator, as long as it has yielded nothing. */
async function* streamWithRetry<T>(
  { pin, follow }: Views,
  read: (pinned: PinnedTables) => AsyncIterable<T>,
): AsyncGenerator<T> {
  for (let attempt = 1; ; attempt++) {
    await using pinned = await pin()
    let hasBegun = false
    try {
      for await (const some of read(pinned)) {
        hasBegun = true
        yield some
      }
      return
    } catch (cause) {
      if (hasBegun) throw cause
      const failure = await replacedOr(cause, pinned)
      if (!(failure instanceof FilesReplaced) || attempt >= storageLimits.replacedReadsMax) throw failure
    }
    // A failure is reported where it occurs, and the next attempt fails as this one did.
    await follow().catch(() => {})
  }
}

/** The failure of a read, as `FilesReplaced` if that explains it. */
async function replacedOr(cause: unknown, held: { wasReplaced(): Promise<boolean> }): Promise<unknown> {
  const mayBe = !(cause instanceof DomainError) || cause.type === 'DataDamaged'
  return mayBe && (await held.wasReplaced()) ? new FilesReplaced(cause) : cause
}

/** Whose rows are read, and what aborts the read, waiting included. */
export interface ReadScope {
  readonly projectId: string
  readonly signal?: AbortSignal | undefined
}

/** The same for one row. */
export interface RowScope extends ReadScope {
  readonly id: string
}

/** The reads that `Store` offers; see there for which kind is for what. */
export class Reads {
  private readonly tables: ReadonlyMap<string, TableStore>
  private readonly readers: Readers
  private readonly layersLock: Mutex
  private readonly batcher: SnapshotBatcher
  private readonly timeoutMs: number
  private readonly log: Log

  constructor(options: {
    tables: ReadonlyMap<string, TableStore>
    readers: Readers
    layersLock: Mutex
    /**
     * Bounds the wait of a read for its snapshot, and each of its statements including that wait.
     */
    timeoutMs: number
    log: Log
  }) {
    this.tables = options.tables
    this.readers = options.readers
    this.layersLock = options.layersLock
    this.batcher = new SnapshotBatcher(options.layersLock)
    this.timeoutMs = options.timeoutMs
    this.log = options.log
  }

  async read<T>(tableNames: readonly string[], scope: ReadScope, read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const views = this.views(this.readers.lookups, tableNames, scope)
    return await readWithRetry(views, (pinned) => read(this.snapshotOf(pinned, scope)))
  }

  async readLong<T>(
    tableNames: readonly string[],
    scope: ReadScope,
    read: (snapshot: StreamSnapshot) => Promise<T>,
  ): Promise<T> {
    const views = this.views(this.readers.streams, tableNames, scope)
    return await readWithRetry(views, (pinned) => read(this.snapshotOf(pinned, scope)))
  }

  async *stream<T>(
    tableNames: readonly string[],
    scope: ReadScope,
    read: (snapshot: StreamSnapshot) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const views = this.views(this.readers.streams, tableNames, scope)
    yield* streamWithRetry(views, (pinned) => read(this.snapshotOf(pinned, scope)))
  }

  async readForMaintenance<T>(
    tableNames: readonly string[],
    signal: AbortSignal,
    read: (snapshot: MaintenanceSnapshot) => Promise<T>,
  ): Promise<T> {
    return await readWithRetry(this.views(this.readers.lookups, tableNames, { signal }), (pinned) => {
      const { reader, limits } = pinned
      const unrestrictedRelation = (tableName: string) => relationOfAll(pinned.table(tableName), { withHidden: true })
      return read({ unrestrictedRelation, rows: (sql) => reader.rows(sql, limits) })
    })
  }

  async readProjects<T>(
    tableNames: readonly string[],
    signal: AbortSignal,
    read: (snapshot: ProjectsSnapshot) => Promise<T>,
  ): Promise<T> {
    return await readWithRetry(this.views(this.readers.lookups, tableNames, { signal }), (pinned) => {
      const { reader, limits } = pinned
      const relationOfProjects = (tableName: string) => relationOfAll(pinned.table(tableName), { withHidden: false })
      return read({ relationOfProjects, rows: (sql) => reader.rows(sql, limits) })
    })
  }

  async rowInFiles(
    tableName: string,
    { projectId, id, signal }: RowScope,
    columns: readonly string[],
  ): Promise<NamedCells | null | undefined> {
    const table = itemAt(this.tablesOf([tableName]), 0)
    await table.followOthersBeforeRead()
    using deadline = new Deadline(this.timeoutMs, signal)
    const holding = this.layersLock.run(async () => table.pinFilesFor(projectId, id))
    const held = await deadline.orGiveUp(holding, (late) => late?.release())
    if (held === undefined) return undefined
    try {
      if (held.dataFiles.length === 0) return null
      return await findRow(this.readers.files, { ...held, projectId, id, columns, signal: deadline.signal })
    } finally {
      await held.release()
    }
  }

  async inFiles<T>(tableName: string, scope: ReadScope, read: (files: FilesSnapshot) => Promise<T>): Promise<T | null> {
    return await this.withFiles(tableName, scope, { pin: (table) => table.pinIf(areAllInFiles), read })
  }

  async countRows(tableName: string, scope: ReadScope): Promise<number | undefined> {
    let inMemory = 0
    const pin = (table: TableStore) => {
      const pinned = table.pinIf(areListed)
      if (pinned !== undefined) inMemory = listedRowsOf(pinned, scope.projectId)
      return pinned
    }
    const inFiles = await this.withFiles(tableName, scope, { pin, read: (files) => files.count() })
    return inFiles === null || inFiles === undefined ? undefined : inFiles + inMemory
  }

  /** Null if `pin`, which is called with the layers lock, refuses. */
  private async withFiles<T>(
    tableName: string,
    { projectId, signal }: ReadScope,
    {
      pin,
      read,
    }: {
      pin: (table: TableStore) => PinnedTable | undefined
      read: (files: FilesSnapshot) => Promise<T>
    },
  ): Promise<T | null> {
    const table = itemAt(this.tablesOf([tableName]), 0)
    await table.followOthersBeforeRead()
    using deadline = new Deadline(this.timeoutMs, signal)
    const pinning = this.layersLock.run(async () => pin(table))
    const pinned = await deadline.orGiveUp(pinning, (late) => late && table.unpin(late))
    if (pinned === undefined) return null
    const { files } = this.readers
    noteWait(deadline, files)
    try {
      const limits = { timeoutMs: Math.max(1, this.timeoutMs - deadline.waitedMs), signal }
      return await read(new FilesSnapshot({ files, limits, pinned, projectId }))
    } finally {
      await table.unpin(pinned)
    }
  }

  private views(
    readers: ReaderPool,
    tableNames: readonly string[],
    { projectId: owner, signal }: Partial<ReadScope>,
  ): Views {
    const { batcher, timeoutMs, log } = this
    const { files } = this.readers
    const tables = this.tablesOf(tableNames)
    const follow = () => Promise.all(tables.map((table) => table.followOthers()))
    // One limit for the whole read, however often it waits for files or begins anew.
    const endsAtMs = performance.now() + timeoutMs
    const leftMs = () => Math.max(1, endsAtMs - performance.now())
    const pin = async () => {
      await Promise.all(tables.map((table) => table.followOthersBeforeRead()))
      await Promise.all(tables.map((table) => table.filtersLoaded()))
      return await retryIfReplaced(
        () => pinTables({ tables, readers, files, batcher, log, limits: { timeoutMs: leftMs(), signal, owner } }),
        { follow },
        () => AbortSignal.any([AbortSignal.timeout(leftMs()), ...(signal === undefined ? [] : [signal])]),
      )
    }
    return { pin, follow }
  }

  private snapshotOf(pinned: PinnedTables, { projectId }: ReadScope): ProjectSnapshot {
    return new ProjectSnapshot(pinned, projectId, this.readers.scans)
  }

  private tablesOf(names: readonly string[]): TableStore[] {
    return names.map((name) => tableNamed(this.tables, name))
  }
}

/** @throws Error if the store has no such table */
export function tableNamed(tables: ReadonlyMap<string, TableStore>, name: string): TableStore {
  const table = tables.get(name)
  if (table === undefined) throw new Error(`Unknown table ${name}`)
  return table
}
