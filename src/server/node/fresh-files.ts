import type { LakeAccess } from '../../engine/lake-parts.ts'
import type { Store } from '../../engine/store.ts'
import { DomainError } from '../../lib/errors.ts'
import { lakeLimits } from '../../lib/limits/objects.ts'
import { orAborted } from '../../lib/or-aborted.ts'

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
  let newest: { readonly startedMs: number; readonly flushed: Promise<unknown> } | undefined
  const flush = (): Promise<unknown> => {
    if (newest !== undefined && nowMs() - newest.startedMs < lakeLimits.sqlBehindMsMax) return newest.flushed
    const begun = { startedMs: nowMs(), flushed: store.flushAll() }
    newest = begun
    // The next request tries again.
    begun.flushed.catch(() => {
      if (newest === begun) newest = undefined
    })
    return begun.flushed
  }
  return async (tableNames, signal) => {
    const late = AbortSignal.timeout(lakeLimits.sqlFetchMsMax)
    const ending = AbortSignal.any([signal, late])
    try {
      await orAborted(flush(), ending)
    } catch (cause) {
      if (!late.aborted || signal.aborted) throw cause
      throw new DomainError(
        'StoreUnavailable',
        'The newest rows could not be written to files in time, which SQL reads; try again later',
      )
    }
    return await lake.holdFiles(tableNames, ending)
  }
}
