import { Elysia } from 'elysia'
import type { RequestContext } from '../../requests/request-context.ts'
import { callStats, callStatsRoute } from './call-stats.ts'
import { callsUsage, callsUsageRoute } from './calls-usage.ts'
import { projectStats, projectStatsRoute } from './project-stats.ts'
import type { UsageServices } from './services.ts'
import { traceUsage, traceUsageRoute } from './trace-usage.ts'

/** Token usage and costs summed over calls. */
export const usageApi = (services: UsageServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/calls/stats', ({ caller, request, body }) => callStats(services, caller, request, body), callStatsRoute)
    .post('/calls/usage', ({ caller, request, body }) => callsUsage(services, caller, request, body), callsUsageRoute)
    .post(
      '/project/stats',
      ({ caller, request, body }) => projectStats(services, caller, request, body),
      projectStatsRoute,
    )
    .post('/trace/usage', ({ caller, request, body }) => traceUsage(services, caller, request, body), traceUsageRoute)
