import type { CacheCounts } from '../../engine/lake/cache/file-cache.ts'
import type { LeaseState } from '../../engine/lake/kept-lease.ts'
import type { LogLengths } from '../../engine/lake-parts.ts'
import { keysOf } from '../../lib/present.ts'
import type { RequestCounts } from '../../runtime/objects/request-counts.ts'

type Values = readonly (readonly [Readonly<Record<string, string>>, number])[]

interface Metrics {
  gauge(name: string, help: string, values: Values): void
  counter(name: string, help: string, values: Values): void
}

/** What a node of a lake counts. */
export interface LakeCounts {
  readonly requests: RequestCounts
  readonly cache: () => CacheCounts
  readonly lease: () => LeaseState
  readonly logs: LogLengths
}

const leaseStates: readonly LeaseState[] = ['held', 'away', 'late', 'lost']

export function addLake(metrics: Metrics, { requests, cache, lease, logs }: LakeCounts): void {
  const kinds = keysOf(requests.byKind).map((kind) => ({ kind, ...requests.byKind[kind] }))
  metrics.counter(
    'tracelake_lake_requests_total',
    'Requests to the object store, counting each attempt, by kind and outcome (done or failed)',
    kinds.flatMap(({ kind, requests: all, failures }) => [
      [{ kind, outcome: 'done' }, all - failures] as const,
      [{ kind, outcome: 'failed' }, failures] as const,
    ]),
  )
  metrics.counter(
    'tracelake_lake_sent_bytes_total',
    'Bytes sent to the object store',
    kinds.map(({ kind, sentBytes }) => [{ kind }, sentBytes]),
  )
  metrics.counter(
    'tracelake_lake_received_bytes_total',
    'Bytes received from the object store',
    kinds.map(({ kind, receivedBytes }) => [{ kind }, receivedBytes]),
  )
  metrics.gauge(
    'tracelake_lake_lease',
    'State of the lease of this node (1 for the current one): held, away while the store does not answer, late ' +
      'after a pause, lost',
    leaseStates.map((state) => [{ state }, state === lease() ? 1 : 0]),
  )
  metrics.gauge(
    'tracelake_lake_log_objects',
    'Objects of the write-ahead log whose rows are not in Parquet files yet',
    [...logs].map(([table, { unflushed }]) => [{ table }, unflushed]),
  )
  const { bytes, bytesMax, pinnedBytes, files, hits, misses, evictions, fetchedBytes, prefetchedBytes, damaged } =
    cache()
  metrics.gauge('tracelake_cache_bytes', 'Size of the cache', [[{}, bytes]])
  metrics.gauge('tracelake_cache_bytes_max', 'Configured size of the cache', [[{}, bytesMax]])
  metrics.gauge('tracelake_cache_pinned_bytes', 'Size of the cached files that are being read', [[{}, pinnedBytes]])
  metrics.gauge('tracelake_cache_files', 'Files in the cache', [[{}, files]])
  metrics.counter('tracelake_cache_reads_total', 'Reads of cached files, by outcome (hit or miss)', [
    [{ outcome: 'hit' }, hits],
    [{ outcome: 'miss' }, misses],
  ])
  metrics.counter('tracelake_cache_fetched_bytes_total', 'Bytes fetched into the cache', [[{}, fetchedBytes]])
  metrics.counter('tracelake_cache_prefetched_bytes_total', 'Bytes of them that were fetched before they were needed', [
    [{}, prefetchedBytes],
  ])
  metrics.counter('tracelake_cache_evictions_total', 'Files removed to make room for others', [[{}, evictions]])
  metrics.counter('tracelake_cache_damaged_total', 'Cached files found damaged, and fetched again', [[{}, damaged]])
}
