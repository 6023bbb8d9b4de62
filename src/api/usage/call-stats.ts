import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { CallStats, CallStatsQuestion } from '../../model/call-stats.ts'
import type { Services } from '../../services.ts'

export const callStatsRoute = {
  body: CallStatsQuestion,
  response: { 200: CallStats },
  detail: {
    operationId: 'calls.stats',
    summary: 'Figures over calls, by time',
    description: 'Every bucket of the range is there, at most 31 days; usage for every model seen in it.',
    tags: ['Usage'],
  },
}

export const callStats = (
  services: Services,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof callStatsRoute.body>,
) => services.callStatistics.stats(caller.read(body.project_id), body, signal)
