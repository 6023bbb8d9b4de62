import { Elysia } from 'elysia'
import { requestContext } from '../../requests/index.ts'
import { addByQuery, addByQueryRoute } from './add-by-query.ts'
import {
  decide,
  decideRoute,
  readGold,
  readGoldRoute,
  setGold,
  setGoldRoute,
  settle,
  settleRoute,
  undecide,
  undecideRoute,
} from './final-answers.ts'
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
    .post(
      '/annotation_queues/:queue_id/items/:item_id/decide',
      ({ caller, params, body }) => decide(services, caller, params, body),
      decideRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items/:item_id/undecide',
      ({ caller, params, body }) => undecide(services, caller, params, body.project_id),
      undecideRoute,
    )
    .post(
      '/annotation_queues/:queue_id/settle',
      ({ caller, params, body }) => settle(services, caller, params.queue_id, body.project_id),
      settleRoute,
    )
    .put(
      '/annotation_queues/:queue_id/items/:item_id/gold',
      ({ caller, params, body }) => setGold(services, caller, params, body),
      setGoldRoute,
    )
    .post(
      '/annotation_queues/:queue_id/gold',
      ({ caller, params, body }) => readGold(services, caller, params.queue_id, body.project_id),
      readGoldRoute,
    )
