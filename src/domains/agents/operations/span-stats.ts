import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { SpanStats, SpanStatsRequest } from '../model/agent-span-stats.ts'
import type { AgentsServices } from './services.ts'

export const spanStatisticsRoute = {
  body: SpanStatsRequest,
  response: { 200: SpanStats },
  detail: {
    operationId: 'agents.spans.stats',
    readOnly: true,
    summary: 'Get statistics of spans',
    description: 'Figures of the values of spans by time and group.',
    tags: ['Agents'],
  },
}

export const spanStatistics = (
  services: AgentsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof spanStatisticsRoute.body>,
) => services.agents.stats(caller.read(body.project_id), body, signal)
