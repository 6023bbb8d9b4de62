import { Elysia } from 'elysia'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { TracesServices } from '../services.ts'
import { readTrace, readTraceRoute } from './read-trace.ts'

/** Operations on whole traces. */
export const tracesApi = (services: TracesServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/trace/read', ({ caller, request, body }) => readTrace(services, caller, request, body), readTraceRoute)
