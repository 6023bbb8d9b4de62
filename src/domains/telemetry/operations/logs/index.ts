import { Elysia } from 'elysia'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { TelemetryServices } from '../services.ts'
import { queryLogs, queryLogsRoute } from './query-logs.ts'

/** Operations on log records. */
export const logsApi = (services: TelemetryServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/logs/query', ({ caller, request, body }) => queryLogs(services, caller, request, body), queryLogsRoute)
