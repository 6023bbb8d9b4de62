import { Elysia } from 'elysia'
import { requestContext } from '../../requests/index.ts'
import { addByQuery, addByQueryRoute } from './add-by-query.ts'
import type { QueuesServices } from './services.ts'

/** What fills queues, and what is done with their answers. */
export const settleQueuesApi = (services: QueuesServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post(
      '/annotation_queues/:queue_id/items/add_by_query',
      ({ caller, request, params, body }) => addByQuery(services, caller, request, params.queue_id, body),
      addByQueryRoute,
    )
