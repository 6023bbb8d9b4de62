import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { describeJsonLines, jsonLinesResponse } from '../../../requests/json-lines.ts'
import { FoundPoint, MetricsQuery } from '../../model/metrics.ts'
import type { TelemetryServices } from '../services.ts'

export const queryMetricsRoute = {
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

export const queryMetrics = (
  services: TelemetryServices,
  caller: Caller,
  { signal }: Request,
  { project_id, ...question }: Static<typeof queryMetricsRoute.body>,
) =>
  jsonLinesResponse(
    services.streams,
    (left) => services.metricPoints.query(caller.read(project_id), question, left),
    signal,
  )
