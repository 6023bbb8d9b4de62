import type { Reader } from '../duck/reader.ts'
import type { Mutex } from './mutex.ts'
import type { PinnedTable } from './table/pinned-table.ts'

/** The part of a table that rounds need. */
export interface PinnableTable {
  /** Readers that wait for its rows to move: writers make way for them. */
  readersWaiting: number
  /** Moves everything accepted so far into DuckDB. Only under the lock on layers. */
  materialize(): Promise<void>
  /** What the table consists of, held for a reader. Only under the lock on layers, after `materialize`. */
  pin(): PinnedTable
  unpin(pinned: PinnedTable): Promise<void>
}

interface PendingPin {
  readonly tables: readonly PinnableTable[]
  readonly reader: Pick<Reader, 'begin'>
  readonly resolve: (pinned: PinnedTable[]) => void
  readonly reject: (cause: unknown) => void
}

/**
 * Pins tables for readers, all that wait at one moment together. What was accepted moves into DuckDB once a round and not once for each
 * reader: where much is written, that takes far longer than all the rest, and readers would wait for each other.
 */
export class SnapshotBatcher {
  private readonly layersLock: Mutex
  private waiting: PendingPin[] = []

  constructor(layersLock: Mutex) {
    this.layersLock = layersLock
  }

  /** Pins the tables and begins the reader's transaction at one moment. Everything acknowledged before the call is in what it sees. */
  pin(tables: PendingPin['tables'], reader: PendingPin['reader']): Promise<PinnedTable[]> {
    for (const table of tables) table.readersWaiting++
    return new Promise<PinnedTable[]>((resolve, reject) => {
      this.waiting.push({ tables, reader, resolve, reject })
      // Whoever comes before the lock is free belongs to this round.
      if (this.waiting.length === 1) void this.layersLock.run(() => this.flushBatch())
    }).finally(() => {
      for (const table of tables) table.readersWaiting--
    })
  }

  private async flushBatch(): Promise<void> {
    const asking = this.waiting
    this.waiting = []
    const failures = new Map<PinnableTable, unknown>()
    for (const table of new Set(asking.flatMap(({ tables }) => tables)))
      await table.materialize().catch((cause: unknown) => failures.set(table, cause))
    await Promise.all(
      asking.map(async ({ tables, reader, resolve, reject }) => {
        const failed = tables.find((table) => failures.has(table))
        if (failed !== undefined) reject(failures.get(failed))
        else await begin(tables, reader).then(resolve, reject)
      }),
    )
  }
}

async function begin(tables: readonly PinnableTable[], reader: Pick<Reader, 'begin'>): Promise<PinnedTable[]> {
  const pinned = tables.map((table) => table.pin())
  try {
    await reader.begin(pinned[0]!.active.tableName)
    return pinned
  } catch (cause) {
    await unpinAll(tables, pinned)
    throw cause
  }
}

/** Lets go of what `tables` pinned, in their order. */
export async function unpinAll(tables: readonly PinnableTable[], pinned: readonly PinnedTable[]): Promise<void> {
  for (const [index, pin] of pinned.entries()) await tables[index]!.unpin(pin)
}
