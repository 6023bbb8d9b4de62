import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { CallStats, CallStatsRequest } from '../model/call-stats.ts'
import type { UsageServices } from './services.ts'

export const callStatsRoute = {
  body: CallStatsRequest,
  response: { 200: CallStats },
  detail: {
    operationId: 'calls.stats',
    readOnly: true,
    summary: 'Get call statistics over time',
    description:
      'Returns all buckets of the range, including empty ones, with usage per model. The range is limited to 31 ' +
      'days unless the buckets are at least a day long. `group_by` divides the buckets by the values of a field, ' +
      '`histogram` counts the calls by ranges of latency.',
    tags: ['Usage'],
  },
}

export const callStats = (
  services: UsageServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof callStatsRoute.body>,
) => services.callStatistics.stats(caller.read(body.project_id), body, signal)
