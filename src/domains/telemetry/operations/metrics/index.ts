import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../../access/index.ts'
import { describeJsonLines, jsonLinesResponse, requestContext } from '../../../requests/index.ts'
import { FoundPoint, MetricStats, MetricStatsRequest, MetricsQuery } from '../../model/metrics.ts'
import type { TelemetryServices } from '../services.ts'

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
