import type { LakeAccess } from '../../engine/lake-parts.ts'
import type { Store } from '../../engine/store.ts'
import { lakeLimits } from '../../lib/limits/objects.ts'

/**
 * For the processes that run SQL, which read only the folder of a node. Flushes the rows in memory,
 * unless that was done recently, because the log of a lake is not there; then brings the files of
 * the tables, and keeps them there until the result is disposed of.
 */
export function freshFiles(
  store: Pick<Store, 'flushAll'>,
  lake: Pick<LakeAccess, 'holdFiles'>,
  nowMs = () => performance.now(),
): (tableNames: readonly string[], signal: AbortSignal) => Promise<AsyncDisposable> {
  let flushedMs = Number.NEGATIVE_INFINITY
  return async (tableNames, signal) => {
    const startedMs = nowMs()
    if (startedMs - flushedMs >= lakeLimits.sqlBehindMsMax) {
      await store.flushAll()
      flushedMs = startedMs
    }
    return await lake.holdFiles(tableNames, AbortSignal.any([signal, AbortSignal.timeout(lakeLimits.sqlFetchMsMax)]))
  }
}
