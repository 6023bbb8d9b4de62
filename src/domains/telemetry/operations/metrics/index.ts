import { Elysia } from 'elysia'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { TelemetryServices } from '../services.ts'
import { metricStats, metricStatsRoute } from './metric-stats.ts'
import { queryMetrics, queryMetricsRoute } from './query-metrics.ts'

/** Operations on OpenTelemetry metrics. */
export const metricsApi = (services: TelemetryServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
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
