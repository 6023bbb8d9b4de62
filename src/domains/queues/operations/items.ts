import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../access/index.ts'
import { jsonListResponse, requestContext } from '../../requests/index.ts'
import { AddByQuery, AddedByQuery } from '../model/add-by-query.ts'
import { AddedCalls, ProgressUpdate, QueueCalls, QueueItem, QueueItemsRequest } from '../model/annotation-queues.ts'
import { FinishedItem, FinishedRequest } from '../model/finished.ts'
import { RemoveItems } from '../model/overview.ts'
import { PairsRequest } from '../model/pairs.ts'
import { QueuePath, type QueuesServices } from './services.ts'

const addCallsRoute = {
  params: QueuePath,
  body: QueueCalls,
  response: { 200: AddedCalls },
  detail: {
    operationId: 'annotationQueues.addCalls',
    idempotencyKey: true,
    summary: 'Add calls to an annotation queue',
    description: 'Calls already in the queue are counted as duplicates. Unknown call ids are ignored.',
    tags: ['Annotation Queues'],
  },
}

const addCalls = (
  services: QueuesServices,
  caller: Caller,
  queueId: string,
  { project_id, ...calls }: Static<typeof addCallsRoute.body>,
) => services.annotationQueues.items.add(caller.write(project_id), queueId, calls)

const addPairsRoute = {
  params: QueuePath,
  body: PairsRequest,
  response: { 200: AddedCalls },
  detail: {
    operationId: 'annotationQueues.addPairs',
    idempotencyKey: true,
    summary: 'Add pairs of calls to an annotation queue',
    description:
      'Each pair becomes an item of its first call, for people to say which of the two is better. Pairs that are in ' +
      'the queue in either order, and those whose first call is, are counted as duplicates. Pairs with an unknown ' +
      'call are ignored.',
    tags: ['Annotation Queues'],
  },
}

const addPairs = (
  services: QueuesServices,
  caller: Caller,
  queueId: string,
  { project_id, pairs }: Static<typeof addPairsRoute.body>,
) => services.annotationQueues.items.addPairs(caller.write(project_id), queueId, pairs)

const addByQueryRoute = {
  params: QueuePath,
  body: AddByQuery,
  response: { 200: AddedByQuery },
  detail: {
    operationId: 'annotationQueues.addByQuery',
    idempotencyKey: true,
    summary: 'Add the calls that match a query to an annotation queue',
    description:
      'Takes the newest matching calls, or with `sample_seed` a random sample. With `disagreement`, only calls ' +
      'of which the newest values of two feedback types differ: numbers by more than `apart`, anything else as ' +
      'JSON. Calls that are in the queue already are counted and left as they are, so a repeated request adds ' +
      'only what matches since then. `filter.thread_ids` adds the calls of threads.',
    tags: ['Annotation Queues'],
  },
}

const addByQuery = (
  services: QueuesServices,
  caller: Caller,
  { signal }: Request,
  queueId: string,
  { project_id, ...request }: Static<typeof addByQueryRoute.body>,
) => services.annotationQueues.addByQuery(caller.write(project_id), queueId, request, services.costs, signal)

const removeItemsRoute = {
  params: QueuePath,
  body: RemoveItems,
  response: { 200: Type.Object({ removed_count: Type.Integer() }) },
  detail: {
    operationId: 'annotationQueues.removeItems',
    idempotencyKey: true,
    summary: 'Remove items from an annotation queue',
    description:
      'The calls and the feedback given on them are kept, and the calls can be added again. Items that are not in ' +
      'the queue are ignored.',
    tags: ['Annotation Queues'],
  },
}

const removeItems = async (
  services: QueuesServices,
  caller: Caller,
  queueId: string,
  { project_id, item_ids }: Static<typeof removeItemsRoute.body>,
) => ({
  removed_count: await services.annotationQueues.items.remove(caller.write(project_id), queueId, item_ids),
})

const queryItemsRoute = {
  params: QueuePath,
  body: QueueItemsRequest,
  response: { 200: Type.Object({ items: Type.Array(QueueItem) }) },
  detail: {
    operationId: 'annotationQueues.queryItems',
    readOnly: true,
    summary: 'Query the items of an annotation queue',
    description:
      'Items are returned in the order in which they were added unless `sort_by` is given. The state of an item ' +
      'is the one set most recently by any annotator. With `include_feedback`, keys that can write see what others ' +
      'said about an item once they have answered it or it has all its answers; admins and who made the queue always.',
    tags: ['Annotation Queues'],
  },
}

/**
 * Returns JSON text as stored: reserializing feedback payloads would change numbers such as `1.0`.
 */
function queryItems(
  services: QueuesServices,
  caller: Caller,
  { signal }: Request,
  queueId: string,
  { project_id, ...given }: Static<typeof queryItemsRoute.body>,
) {
  const reader = caller.read(project_id)
  const { items } = services.annotationQueues
  const request = { ...given, isReviewer: caller.canWrite(project_id) && !caller.canAdminister(project_id) }
  return jsonListResponse(services.streams, 'items', (left) => items.query(reader, queueId, request, left), {
    clientLeft: signal,
  })
}

const finishedRoute = {
  params: QueuePath,
  body: FinishedRequest,
  response: { 200: Type.Object({ finished: Type.Array(FinishedItem) }) },
  detail: {
    operationId: 'annotationQueues.queryFinished',
    readOnly: true,
    summary: 'Query what people finished in an annotation queue',
    description:
      'Returns who answered or skipped which item, with the reasons of skips, the latest first. The answers are ' +
      'feedback: see `items/query`.',
    tags: ['Annotation Queues'],
  },
}

const finished = async (
  services: QueuesServices,
  caller: Caller,
  queueId: string,
  { project_id, ...request }: Static<typeof finishedRoute.body>,
) => ({ finished: await services.annotationQueues.finished(caller.read(project_id), queueId, request) })

const updateProgressRoute = {
  params: Type.Object({ queue_id: Type.String(), item_id: Type.String() }),
  body: ProgressUpdate,
  response: { 200: Type.Object({ item: QueueItem }) },
  detail: {
    operationId: 'annotationQueues.updateProgress',
    idempotencyKey: true,
    summary: 'Update your progress on an item',
    description:
      'Progress is tracked per user of the API key. An item without progress can enter any state; from ' +
      '`in_progress` it can move to `completed` or `skipped`.',
    tags: ['Annotation Queues'],
  },
}

const updateProgress = async (
  services: QueuesServices,
  caller: Caller,
  { queue_id, item_id }: Static<typeof updateProgressRoute.params>,
  { project_id, annotation_state }: Static<typeof updateProgressRoute.body>,
) => ({
  item: await services.annotationQueues.progress.update(caller.write(project_id), queue_id, item_id, annotation_state),
})

/** Calls in annotation queues, and how far each is. */
export const queueItemsApi = (services: QueuesServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post(
      '/annotation_queues/:queue_id/items',
      ({ caller, params, body }) => addCalls(services, caller, params.queue_id, body),
      addCallsRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items/remove',
      ({ caller, params, body }) => removeItems(services, caller, params.queue_id, body),
      removeItemsRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items/query',
      ({ caller, request, params, body }) => queryItems(services, caller, request, params.queue_id, body),
      queryItemsRoute,
    )
    .post(
      '/annotation_queues/:queue_id/pairs',
      ({ caller, params, body }) => addPairs(services, caller, params.queue_id, body),
      addPairsRoute,
    )
    .post(
      '/annotation_queues/:queue_id/finished',
      ({ caller, params, body }) => finished(services, caller, params.queue_id, body),
      finishedRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items/:item_id/progress',
      ({ caller, params, body }) => updateProgress(services, caller, params, body),
      updateProgressRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items/add_by_query',
      ({ caller, request, params, body }) => addByQuery(services, caller, request, params.queue_id, body),
      addByQueryRoute,
    )
