import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { MetricStats, MetricStatsRequest } from '../../model/metrics.ts'
import type { TelemetryServices } from '../services.ts'

export const metricStatsRoute = {
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

export const metricStats = (
  services: TelemetryServices,
  caller: Caller,
  { signal }: Request,
  { project_id, ...question }: Static<typeof metricStatsRoute.body>,
) => services.metricStatistics.stats(caller.read(project_id), question, signal)
