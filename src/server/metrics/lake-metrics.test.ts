import { expect, test } from 'bun:test'
import { RequestCounts } from '../../runtime/objects/request-counts.ts'
import { addLake } from './lake-metrics.ts'

test('requests, the lease, logs and the cache have metrics', () => {
  const requests = new RequestCounts()
  requests.add('put', { sent: 100 })
  requests.add('put', { sent: 50, isFailure: true })
  requests.add('get', { received: 7 })
  const found = new Map<string, readonly (readonly [Readonly<Record<string, string>>, number])[]>()
  const keep = (name: string, _help: string, values: Parameters<Parameters<typeof addLake>[0]['gauge']>[2]) =>
    void found.set(name, values)
  const reads = { hits: 3, misses: 1, fetchedBytes: 6, prefetchedBytes: 2 }
  const cache = { bytes: 5, files: 2, bytesMax: 9, pinnedBytes: 7, evictions: 4, damaged: 0, ...reads }
  addLake(
    { gauge: keep, counter: keep },
    { requests, lease: () => 'away', logs: new Map([['calls', { unflushed: 12 }]]), cache: () => cache },
  )
  const values = Object.fromEntries(
    [...found].flatMap(([name, all]) =>
      all.map(([labels, value]) => [[name, ...Object.values(labels)].join(' '), value]),
    ),
  )
  expect(values).toMatchObject({
    'tracelake_lake_requests_total put done': 1,
    'tracelake_lake_requests_total put failed': 1,
    'tracelake_lake_requests_total list done': 0,
    'tracelake_lake_sent_bytes_total put': 150,
    'tracelake_lake_received_bytes_total get': 7,
    'tracelake_lake_lease away': 1,
    'tracelake_lake_lease held': 0,
    'tracelake_lake_log_objects calls': 12,
    'tracelake_cache_reads_total hit': 3,
    tracelake_cache_evictions_total: 4,
    tracelake_cache_fetched_bytes_total: 6,
    tracelake_cache_prefetched_bytes_total: 2,
    tracelake_cache_pinned_bytes: 7,
  })
})
