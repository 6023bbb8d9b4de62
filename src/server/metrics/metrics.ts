import type { Gauge, Registry } from 'prom-client'
import type { StoreStats } from '../../engine/stats.ts'
import type { Store } from '../../engine/store.ts'
import { version } from '../../lib/version.ts'
import { processStats, runtimeName } from '../../runtime/platform/processes/process-stats.ts'
import { addLake, type LakeCounts } from './lake-metrics.ts'
import { latencyBounds, RequestMetrics } from './request-metrics.ts'

type Library = typeof import('prom-client')
type Labels = Readonly<Record<string, string>>
/** Values of a metric by label set. */
type Values = readonly (readonly [Labels, number])[]

/**
 * Prometheus metrics of the server. Nothing but plain counters is maintained between scrapes. See
 * docs/decisions/037-metrics.md.
 */
export class Metrics {
  readonly requests = new RequestMetrics()
  private readonly store: Store
  private readonly liveTails: () => number
  private readonly spans: Readonly<Record<'taken' | 'rejected', number>>
  private readonly logRecords: Readonly<Record<'taken' | 'rejected', number>>
  private readonly lake: LakeCounts | undefined

  /** @param options `spans` and `logRecords` keep counting while the server runs */
  constructor(options: {
    store: Store
    liveTails: () => number
    spans: Metrics['spans']
    logRecords: Metrics['logRecords']
    lake: LakeCounts | undefined
  }) {
    this.store = options.store
    this.liveTails = options.liveTails
    this.spans = options.spans
    this.logRecords = options.logRecords
    this.lake = options.lake
  }

  /** The metrics in the Prometheus text format, version 0.0.4. */
  async text(): Promise<{ readonly text: string; readonly contentType: string }> {
    // Imported lazily: it takes time to load, and most servers are never scraped.
    const library = await import('prom-client')
    const registry = new library.Registry()
    const metrics = new MetricSet(library, registry)
    this.addRequests(metrics)
    addLatencies(library, this.requests, registry)
    addStore(metrics, await this.store.stats(), this.store.state().ok)
    metrics.gauge('tracelake_live_tails', 'Connected live-tail clients', [[{}, this.liveTails()]])
    metrics.counter(
      'tracelake_spans_total',
      'OpenTelemetry spans by outcome (taken or rejected), not counting requests rejected as a whole',
      Object.entries(this.spans).map(([outcome, count]) => [{ outcome }, count]),
    )
    metrics.counter(
      'tracelake_log_records_total',
      'OpenTelemetry log records by outcome (taken or rejected), not counting requests rejected as a whole',
      Object.entries(this.logRecords).map(([outcome, count]) => [{ outcome }, count]),
    )
    if (this.lake !== undefined) addLake(metrics, this.lake)
    addProcess(metrics)
    return { text: await registry.metrics(), contentType: registry.contentType }
  }

  private addRequests(metrics: MetricSet): void {
    const values = [...this.requests.byOperation].flatMap(([operation, { statuses }]) =>
      [...statuses].map(([status, count]) => [{ operation, status: String(status) }, count] as const),
    )
    metrics.counter('tracelake_requests_total', 'Requests answered', values)
  }
}

function addStore(metrics: MetricSet, { tables, readers, duckdb }: StoreStats, isReady: boolean): void {
  const ofTables = (pick: (statistics: StoreStats['tables'][number]) => number): Values =>
    tables.map((statistics) => [{ table: statistics.table }, pick(statistics)])
  metrics.gauge('tracelake_store_ready', 'Whether the store accepts writes (1 or 0)', [[{}, isReady ? 1 : 0]])
  metrics.counter(
    'tracelake_log_rows_total',
    'Rows or row fragments written since the start; in the calls table, starts and ends count separately',
    ofTables(({ log }) => log.rows),
  )
  metrics.counter(
    'tracelake_log_bytes_total',
    'In-memory size of the rows written since the start',
    ofTables(({ log }) => log.bytes),
  )
  metrics.counter(
    'tracelake_log_syncs_total',
    'Syncs of the write-ahead log',
    ofTables(({ log }) => log.syncs),
  )
  metrics.gauge(
    'tracelake_memtable_rows',
    'Rows in the memtable',
    ofTables(({ memtableRows }) => memtableRows),
  )
  metrics.gauge(
    'tracelake_memtable_bytes',
    'Approximate size of the rows in the memtable',
    ofTables(({ memtableBytes }) => memtableBytes),
  )
  metrics.gauge(
    'tracelake_files',
    'Number of Parquet files',
    ofTables(({ files }) => files),
  )
  metrics.gauge(
    'tracelake_file_bytes',
    'Size of the Parquet files',
    ofTables(({ fileBytes }) => fileBytes),
  )
  metrics.gauge(
    'tracelake_file_rows',
    'Rows in the Parquet files',
    ofTables(({ fileRows }) => fileRows),
  )
  metrics.counter(
    'tracelake_flushes_total',
    'Flushes of the memtable to Parquet files',
    ofTables(({ flushes }) => flushes),
  )
  metrics.counter(
    'tracelake_flush_failures_total',
    'Failed flushes',
    ofTables(({ flushFailures }) => flushFailures),
  )
  metrics.counter(
    'tracelake_compactions_total',
    'Compactions',
    ofTables(({ compactions }) => compactions),
  )
  metrics.counter(
    'tracelake_compaction_failures_total',
    'Failed compactions',
    ofTables(({ compactionFailures }) => compactionFailures),
  )
  metrics.gauge(
    'tracelake_unflushed_age_seconds',
    'Age of the oldest acknowledged row that is not yet in a Parquet file; 0 if there is none',
    ofTables(({ unflushedAgeMs }) => unflushedAgeMs / 1000),
  )
  metrics.counter(
    'tracelake_foreign_commits_total',
    'Commits to the Delta tables by other programs',
    ofTables(({ foreignCommits }) => foreignCommits),
  )
  metrics.counter(
    'tracelake_commit_races_lost_total',
    'Commits retried after losing a race with another program',
    ofTables(({ lostRaces }) => lostRaces),
  )
  metrics.gauge(
    'tracelake_damaged_files',
    'Damaged Parquet files; their rows are not served until "tracelake repair" has run',
    ofTables(({ damagedFiles }) => damagedFiles),
  )
  metrics.gauge(
    'tracelake_unlearned_files',
    'Parquet files of an earlier version whose errors and usage have not been propagated to parent calls yet',
    ofTables(({ unlearnedFiles }) => unlearnedFiles),
  )
  metrics.gauge('tracelake_queries_running', 'Queries in progress', [[{}, readers.busy]])
  metrics.gauge('tracelake_queries_waiting', 'Queries waiting for a reader', [[{}, readers.waiting]])
  metrics.gauge('tracelake_duckdb_memory_bytes', 'Memory used by DuckDB', [[{}, duckdb.memoryBytes]])
  metrics.gauge('tracelake_duckdb_spilled_bytes', 'Bytes spilled to disk by DuckDB', [[{}, duckdb.spilledBytes]])
}

function addProcess(metrics: MetricSet): void {
  const { residentBytes, heapUsedBytes, cpuSeconds, startedAtSeconds } = processStats()
  metrics.gauge('tracelake_info', 'Server version and runtime', [[{ version, runtime: runtimeName() }, 1]])
  metrics.gauge('process_resident_memory_bytes', 'Resident memory size', [[{}, residentBytes]])
  metrics.gauge('process_heap_bytes', 'JavaScript heap in use', [[{}, heapUsedBytes]])
  metrics.counter('process_cpu_seconds_total', 'User and system CPU time', [[{}, cpuSeconds]])
  metrics.gauge('process_start_time_seconds', 'Start time of the process in unix seconds', [[{}, startedAtSeconds]])
}

/** Metrics whose values are already known. */
class MetricSet {
  private readonly library: Library
  private readonly registry: Registry

  constructor(library: Library, registry: Registry) {
    this.library = library
    this.registry = registry
  }

  gauge(name: string, help: string, values: Values): void {
    const metric = new this.library.Gauge({ name, help, labelNames: namesOf(values), registers: [this.registry] })
    for (const [labels, value] of values) metric.set(labels, value)
  }

  counter(name: string, help: string, values: Values): void {
    const metric = new this.library.Counter({ name, help, labelNames: namesOf(values), registers: [this.registry] })
    for (const [labels, value] of values) metric.inc(labels, value)
  }
}

const namesOf = (values: Values): string[] => Object.keys(values[0]?.[0] ?? {})

type LatencyLabels = 'operation' | 'le'

/**
 * Adds our own latency counts to a registry. The library's histogram only takes single
 * observations, so this is another metric type that prints itself as a histogram.
 */
function addLatencies(library: { readonly Gauge: typeof Gauge }, statistics: RequestMetrics, registry: Registry): void {
  const name = 'tracelake_request_duration_seconds'
  class Latencies extends library.Gauge<LatencyLabels> {
    override async get() {
      const shape = await super.get()
      // The library's types declare a number; at runtime it is this string.
      return { ...shape, type: 'histogram' as unknown as typeof shape.type, values: valuesOf(name, statistics) }
    }
  }
  const help = 'Time to the start of the response'
  new Latencies({ name, help, labelNames: ['operation', 'le'], registers: [registry] })
}

function valuesOf(name: string, { byOperation }: RequestMetrics) {
  return [...byOperation].flatMap(([operation, { statuses, buckets, seconds }]) => {
    if (statuses.size === 0) return []
    let count = 0
    const cumulative = [...buckets].map((bucket, index) => {
      count += bucket
      return { metricName: `${name}_bucket`, labels: { operation, le: latencyBounds[index] ?? '+Inf' }, value: count }
    })
    return [
      ...cumulative,
      { metricName: `${name}_sum`, labels: { operation }, value: seconds },
      { metricName: `${name}_count`, labels: { operation }, value: count },
    ]
  })
}
