import type { Mutex } from '../../lib/concurrency.ts'
import { itemAt } from '../../lib/present.ts'
import type { Reader, ReadLimits } from '../../runtime/duck/reader.ts'
import type { ReaderPool } from '../../runtime/duck/reader-pool.ts'
import type { Log } from '../../runtime/log.ts'
import { readCost } from '../../runtime/platform/read-cost.ts'
import { currentScopes, type Runner } from '../../runtime/platform/scopes.ts'
import { isWaiting, waiting } from '../../runtime/platform/without-waiting.ts'
import { Deadline } from '../deadline.ts'
import type { ParquetFiles } from '../parquet/parquet-files.ts'
import type { PinnedTable } from '../table/pinned-table.ts'
import type { TableStore } from '../table/table-store.ts'
import { PinnedTables } from './pinned-tables.ts'

/** The part of a table that the batcher needs. */
export interface PinnableTable {
  /** Readers waiting for the memtable to drain; writers yield to them. */
  readersWaiting: number
  /** Drains everything accepted so far into DuckDB. Requires the layers lock. */
  materialize(): Promise<void>
  /** Pins the current layers for a reader. Requires the layers lock, after `materialize`. */
  pin(): PinnedTable
  unpin(pinned: PinnedTable): Promise<void>
}

interface PendingPin {
  readonly tables: readonly PinnableTable[]
  readonly reader: Pick<Reader, 'begin'>
  /** Whether draining may wait for files, with the layers lock. */
  readonly waits: boolean
  /** Runs work in the async context of the reader, so that its cost counts as that reader's. */
  readonly inOwnScopes: Runner
  readonly resolve: (pinned: PinnedTable[]) => void
  readonly reject: (cause: unknown) => void
}

/**
 * Pins tables for readers in batches: all readers waiting at one moment share one drain of the
 * memtable. Under heavy writes draining dominates the cost, and readers would queue up for it.
 */
export class SnapshotBatcher {
  private readonly layersLock: Mutex
  /** What all readers of a batch share is done in none of their scopes. */
  private readonly inNoScope = currentScopes()
  private waiting: PendingPin[] = []

  constructor(layersLock: Mutex) {
    this.layersLock = layersLock
  }

  /**
   * Pins the tables and begins the reader's transaction atomically. It sees everything acknowledged
   * before the call.
   */
  pin(tables: PendingPin['tables'], reader: PendingPin['reader']): Promise<PinnedTable[]> {
    for (const table of tables) table.readersWaiting++
    return new Promise<PinnedTable[]>((resolve, reject) => {
      this.waiting.push({ tables, reader, waits: isWaiting(), inOwnScopes: currentScopes(), resolve, reject })
      // Readers that arrive before the lock is free join this batch.
      if (this.waiting.length === 1) void this.inNoScope(() => this.layersLock.run(() => this.flushBatch()))
    }).finally(() => {
      for (const table of tables) table.readersWaiting--
    })
  }

  private async flushBatch(): Promise<void> {
    const asking = this.waiting
    this.waiting = []
    const failures = new Map<PinnableTable, unknown>()
    for (const table of new Set(asking.flatMap(({ tables }) => tables))) {
      const waits = asking.some((one) => one.waits && one.tables.includes(table))
      const drain = () => table.materialize()
      await (waits ? waiting(drain) : drain()).catch((cause: unknown) => failures.set(table, cause))
    }
    await Promise.all(
      asking.map(async ({ tables, reader, inOwnScopes, resolve, reject }) => {
        const failed = tables.find((table) => failures.has(table))
        if (failed !== undefined) reject(failures.get(failed))
        else await inOwnScopes(() => begin(tables, reader)).then(resolve, reject)
      }),
    )
  }
}

async function begin(tables: readonly PinnableTable[], reader: Pick<Reader, 'begin'>): Promise<PinnedTable[]> {
  const pinned = tables.map((table) => table.pin())
  try {
    await reader.begin(itemAt(pinned, 0).active.tableName)
    return pinned
  } catch (cause) {
    await unpinAll(tables, pinned)
    throw cause
  }
}

/** Releases what `tables` pinned, in the same order. */
async function unpinAll(tables: readonly PinnableTable[], pinned: readonly PinnedTable[]): Promise<void> {
  for (const [index, pin] of pinned.entries()) await itemAt(tables, index).unpin(pin)
}

/**
 * Pins the tables as they are now, together with a reader of the pool.
 *
 * @throws DomainError Overloaded, QueryTimeout, RequestCancelled
 */
export async function pinTables(options: {
  tables: readonly TableStore[]
  readers: ReaderPool
  files: ParquetFiles
  batcher: SnapshotBatcher
  log: Log
  /**
   * Bounds the wait for a reader and for the memtables, together, and each statement including that
   * wait.
   */
  limits: ReadLimits
}): Promise<PinnedTables> {
  const { tables, readers, files, batcher, log } = options
  const { timeoutMs, signal, owner } = options.limits
  using deadline = new Deadline(timeoutMs, signal)
  await deadline.orGiveUp(Promise.all(tables.map((table) => table.replayed())), () => {})
  const reader = await readers.acquire(deadline.signal, owner)
  const release = async (pinned: PinnedTable[]) => {
    await returnReader(readers, reader, log)
    await unpinAll(tables, pinned)
  }
  const pinning = batcher.pin(tables, reader)
  pinning.catch(() => readers.discard(reader))
  const pinned = await deadline.orGiveUp(pinning, release)
  noteWait(deadline, files)
  const limits = { ...options.limits, timeoutMs: Math.max(1, timeoutMs - deadline.waitedMs) }
  return new PinnedTables({ reader, files, limits, pinned, release: () => release(pinned) })
}

/** For a request that asks what it costs: how long it waited, and what tells the size of files. */
export function noteWait({ waitedMs }: Deadline, files: ParquetFiles): void {
  const cost = readCost()
  if (cost === undefined) return
  cost.waitedMs += waitedMs
  cost.sizeOf ??= (path) => files.sizeOf(path)
}

async function returnReader(readers: ReaderPool, reader: Reader, log: Log): Promise<void> {
  try {
    await reader.end()
  } catch (err) {
    log.warn({ err }, 'closed a read connection that did not end cleanly')
    readers.discard(reader)
    return
  }
  readers.release(reader)
}
