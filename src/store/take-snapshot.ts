import type { Reader } from '../duck/reader.ts'
import type { ReaderPool } from '../duck/reader-pool.ts'
import type { Log } from '../log.ts'
import { Deadline } from './deadline.ts'
import { Snapshot, type StreamSnapshot } from './snapshot.ts'
import { type SnapshotBatcher, unpinAll } from './snapshot-batcher.ts'
import type { PinnedTable } from './table/pinned-table.ts'
import type { TableStore } from './table/table-store.ts'

/**
 * A view of the tables as they are now, through a reader of the pool. What it waits for that counts against the time limits of the statements that
 * the reader runs.
 *
 * @throws DomainError Overloaded, QueryTimeout, RequestCancelled
 */
export async function takeSnapshot(options: {
  tables: readonly TableStore[]
  readers: ReaderPool
  batcher: SnapshotBatcher
  log: Log
  /** Longest wait for a reader and for rows to move, together. */
  timeoutMs: number
  /** Ends the waiting. */
  signal?: AbortSignal | undefined
}): Promise<StreamSnapshot> {
  const { tables, readers, batcher, log, timeoutMs, signal } = options
  using deadline = new Deadline(timeoutMs, signal)
  const reader = await readers.acquire(deadline.signal)
  const release = async (pinned: PinnedTable[]) => {
    await returnReader(readers, reader, log)
    await unpinAll(tables, pinned)
  }
  const pinning = batcher.pin(tables, reader)
  pinning.catch(() => readers.discard(reader))
  const pinned = await deadline.orGiveUp(pinning, release)
  reader.waitedMs = deadline.waitedMs
  return new Snapshot(reader, pinned, () => release(pinned))
}

async function returnReader(readers: ReaderPool, reader: Reader, log: Log): Promise<void> {
  try {
    await reader.end()
  } catch (err) {
    log.warn({ err }, 'a read connection did not end cleanly and is closed')
    readers.discard(reader)
    return
  }
  readers.release(reader)
}
