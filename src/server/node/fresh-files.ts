import type { Store } from '../../engine/store.ts'
import { lakeLimits } from '../../lib/limits/objects.ts'

/**
 * Flushes the rows in memory, unless that was done recently: the processes that run SQL read only
 * the files of a node, and the log of a lake is not among them.
 */
export function freshFiles(store: Pick<Store, 'flushAll'>, nowMs = () => performance.now()): () => Promise<void> {
  let flushedMs = Number.NEGATIVE_INFINITY
  return async () => {
    const startedMs = nowMs()
    if (startedMs - flushedMs < lakeLimits.sqlBehindMsMax) return
    await store.flushAll()
    flushedMs = startedMs
  }
}
