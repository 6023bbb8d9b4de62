import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../access/index.ts'
import { describeJsonLines, jsonLinesResponse, requestContext, type Streams } from '../../requests/index.ts'
import type { LogIngest } from '../log-ingest.ts'
import type { LogReader } from '../logs/read-logs.ts'
import type { MetricIngest } from '../metric-ingest.ts'
import type { MetricReader, MetricStatistics } from '../metrics/metric-stats.ts'
import { FoundLog, LogsQuery } from '../model/logs.ts'
import { FoundPoint, MetricStats, MetricStatsRequest, MetricsQuery } from '../model/metrics.ts'
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

const queryLogsRoute = {
  body: LogsQuery,
  detail: {
    operationId: 'logs.query',
    readOnly: true,
    summary: 'Query logs (stream)',
    description:
      'Returns the matching log records as JSON Lines, oldest first unless `sort_by` is given. `fields` selects ' +
      'columns, or paths such as `attributes.model`.',
    tags: ['Logs'],
    responses: describeJsonLines('The records, one per line', FoundLog),
  },
}

const queryLogs = (
  services: TelemetryServices,
  caller: Caller,
  { signal }: Request,
  { project_id, ...query }: Static<typeof queryLogsRoute.body>,
) => jsonLinesResponse(services.streams, (left) => services.logs.query(caller.read(project_id), query, left), signal)

/** Operations on log records. */
export const logsApi = (services: TelemetryServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/logs/query', ({ caller, request, body }) => queryLogs(services, caller, request, body), queryLogsRoute)

const queryMetricsRoute = {
  body: MetricsQuery,
  detail: {
    operationId: 'metrics.query',
    readOnly: true,
    summary: 'Query data points of metrics (stream)',
    description:
      'Returns the matching data points as JSON Lines, oldest first unless `sort_by` is given. `fields` selects ' +
      'columns, or paths such as `attributes.model`. Cumulative values are returned as they were sent.',
    tags: ['Metrics'],
    responses: describeJsonLines('The data points, one per line', FoundPoint),
  },
}

const queryMetrics = (
  services: TelemetryServices,
  caller: Caller,
  { signal }: Request,
  { project_id, ...query }: Static<typeof queryMetricsRoute.body>,
) =>
  jsonLinesResponse(
    services.streams,
    (left) => services.metricPoints.query(caller.read(project_id), query, left),
    signal,
  )

const metricStatsRoute = {
  body: MetricStatsRequest,
  response: { 200: MetricStats },
  detail: {
    operationId: 'metrics.stats',
    readOnly: true,
    summary: 'Get statistics of metrics over time',
    description:
      'Adds up the data points of metrics by time and by attributes, whichever temporality they were sent with: ' +
      'delta values are summed, cumulative ones are differenced within their series, also across restarts of ' +
      'the sender. Buckets without data points are left out. `totals` covers the whole range.',
    tags: ['Metrics'],
  },
}

const metricStats = (
  services: TelemetryServices,
  caller: Caller,
  { signal }: Request,
  { project_id, ...query }: Static<typeof metricStatsRoute.body>,
) => services.metricStatistics.stats(caller.read(project_id), query, signal)

/** Operations on OpenTelemetry metrics. */
export const metricsApi = (services: TelemetryServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post(
      '/metrics/query',
      ({ caller, request, body }) => queryMetrics(services, caller, request, body),
      queryMetricsRoute,
    )
    .post(
      '/metrics/stats',
      ({ caller, request, body }) => metricStats(services, caller, request, body),
      metricStatsRoute,
    )
