import { Elysia } from 'elysia'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { TracesServices } from '../services.ts'
import { queryThreads, queryThreadsRoute } from './query-threads.ts'

/** Thread operations. */
export const threadsApi = (services: TracesServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post(
      '/threads/stream_query',
      ({ caller, request, body }) => queryThreads(services, caller, request, body),
      queryThreadsRoute,
    )
