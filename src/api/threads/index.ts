import { Elysia } from 'elysia'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../request-context.ts'
import { queryThreads, queryThreadsRoute } from './query-threads.ts'

/** Thread operations. */
export const threadsApi = (services: Services) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post(
      '/threads/stream_query',
      ({ caller, request, body }) => queryThreads(services, caller, request, body),
      queryThreadsRoute,
    )
