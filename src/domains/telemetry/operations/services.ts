import type { Streams } from '../../requests/index.ts'
import type { LogIngest } from '../log-ingest.ts'
import type { LogReader } from '../logs/read-logs.ts'
import type { MetricIngest } from '../metric-ingest.ts'
import type { MetricReader, MetricStatistics } from '../metrics/metric-stats.ts'
import type { TraceIngest } from '../trace-ingest.ts'

/** The services that these operations are given. */
export interface TelemetryServices {
  readonly logIngest: LogIngest
  readonly logs: LogReader
  readonly metricIngest: MetricIngest
  readonly metricPoints: MetricReader
  readonly metricStatistics: MetricStatistics
  readonly streams: Streams
  readonly traces: TraceIngest
}
