import { Elysia } from 'elysia'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../request-context.ts'
import { readTrace, readTraceRoute } from './read-trace.ts'

/** Operations on whole traces. */
export const tracesApi = (services: Services) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/trace/read', ({ caller, request, body }) => readTrace(services, caller, request, body), readTraceRoute)
