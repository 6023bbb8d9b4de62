import type { Reader, ReadLimits } from '../../runtime/duck/reader.ts'
import type { ReaderPool } from '../../runtime/duck/reader-pool.ts'
import type { Log } from '../../runtime/log.ts'
import { readCost } from '../../runtime/platform/read-cost.ts'
import { Deadline } from '../deadline.ts'
import type { ParquetFiles } from '../parquet/parquet-files.ts'
import type { PinnedTable } from '../table/pinned-table.ts'
import type { TableStore } from '../table/table-store.ts'
import { PinnedTables } from './pinned-tables.ts'
import { type SnapshotBatcher, unpinAll } from './snapshot-batcher.ts'

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
  const { timeoutMs, signal } = options.limits
  using deadline = new Deadline(timeoutMs, signal)
  await deadline.orGiveUp(Promise.all(tables.map((table) => table.replayed())), () => {})
  const reader = await readers.acquire(deadline.signal)
  const release = async (pinned: PinnedTable[]) => {
    await returnReader(readers, reader, log)
    await unpinAll(tables, pinned)
  }
  const pinning = batcher.pin(tables, reader)
  pinning.catch(() => readers.discard(reader))
  const pinned = await deadline.orGiveUp(pinning, release)
  const cost = readCost()
  if (cost !== undefined) {
    cost.waitedMs += deadline.waitedMs
    cost.sizeOf ??= (path) => files.sizeOf(path)
  }
  const limits = { timeoutMs: Math.max(1, timeoutMs - deadline.waitedMs), signal }
  return new PinnedTables({ reader, files, limits, pinned, release: () => release(pinned) })
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
