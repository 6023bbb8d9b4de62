import { Elysia } from 'elysia'
import type { RequestContext } from '../../requests/request-context.ts'
import { addCalls, addCallsRoute } from './add-calls.ts'
import { createQueue, createQueueRoute } from './create-queue.ts'
import { deleteQueue, deleteQueueRoute } from './delete-queue.ts'
import { queryItems, queryItemsRoute } from './query-items.ts'
import { queryQueues, queryQueuesRoute } from './query-queues.ts'
import { queueStats, queueStatsRoute } from './queue-stats.ts'
import { readQueue, readQueueRoute } from './read-queue.ts'
import type { QueuesServices } from './services.ts'
import { updateProgress, updateProgressRoute } from './update-progress.ts'
import { updateQueue, updateQueueRoute } from './update-queue.ts'

/** Annotation queue operations. */
export const annotationQueuesApi = (services: QueuesServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/annotation_queues', ({ caller, body }) => createQueue(services, caller, body), createQueueRoute)
    .post(
      '/annotation_queues/query',
      ({ caller, request, body }) => queryQueues(services, caller, request, body),
      queryQueuesRoute,
    )
    .post('/annotation_queues/stats', ({ caller, body }) => queueStats(services, caller, body), queueStatsRoute)
    .get(
      '/annotation_queues/:queue_id',
      ({ caller, params, query }) => readQueue(services, caller, params.queue_id, query.project_id),
      readQueueRoute,
    )
    .put(
      '/annotation_queues/:queue_id',
      ({ caller, params, body }) => updateQueue(services, caller, params.queue_id, body),
      updateQueueRoute,
    )
    .delete(
      '/annotation_queues/:queue_id',
      ({ caller, params, query }) => deleteQueue(services, caller, params.queue_id, query.project_id),
      deleteQueueRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items',
      ({ caller, params, body }) => addCalls(services, caller, params.queue_id, body),
      addCallsRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items/query',
      ({ caller, request, params, body }) => queryItems(services, caller, request, params.queue_id, body),
      queryItemsRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items/:item_id/progress',
      ({ caller, params, body }) => updateProgress(services, caller, params, body),
      updateProgressRoute,
    )
