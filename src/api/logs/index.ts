import { Elysia } from 'elysia'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../request-context.ts'
import { queryLogs, queryLogsRoute } from './query-logs.ts'

/** Operations on log records. */
export const logsApi = (services: Services) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/logs/query', ({ caller, request, body }) => queryLogs(services, caller, request, body), queryLogsRoute)
