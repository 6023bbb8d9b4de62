import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import type { Caller } from '../../access/index.ts'
import { describeJsonLines, jsonLinesResponse, jsonListResponse, requestContext } from '../../requests/index.ts'
import {
  AddedCalls,
  ProgressUpdate,
  Queue,
  QueueAnswer,
  QueueCalls,
  QueueCreate,
  QueueItem,
  QueueItemsRequest,
  QueueStats,
  QueuesRequest,
  QueueUpdate,
} from '../model/annotation-queues.ts'
import { finished, finishedRoute } from './finished.ts'
import { overview, overviewRoute, removeItems, removeItemsRoute } from './overview.ts'
import { addPairs, addPairsRoute } from './pairs.ts'
import {
  assignable,
  assignableRoute,
  claim,
  claimRoute,
  release,
  releaseRoute,
  renew,
  renewRoute,
  setReview,
  setReviewRoute,
} from './review.ts'
import { QueuePath, type QueuesServices } from './services.ts'
import { skip, skipRoute, submit, submitRoute } from './submit.ts'

/** Query string of operations without a body. */
const OfProject = OpenObject({ project_id: ProjectId })

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

const queueStatsRoute = {
  body: OpenObject({
    project_id: ProjectId,
    queue_ids: Type.Array(Type.String(), { maxItems: operationLimits.queueStatsMax }),
  }),
  response: { 200: Type.Object({ stats: Type.Array(QueueStats) }) },
  detail: {
    operationId: 'annotationQueues.stats',
    readOnly: true,
    summary: 'Get the progress of annotation queues',
    description: 'Returns one entry per id, in the order given. Counts are zero for unknown queues.',
    tags: ['Annotation Queues'],
  },
}

const queueStats = async (
  services: QueuesServices,
  caller: Caller,
  { project_id, queue_ids }: Static<typeof queueStatsRoute.body>,
) => ({ stats: await services.annotationQueues.items.stats(caller.read(project_id), queue_ids) })

const queryQueuesRoute = {
  body: QueuesRequest,
  detail: {
    operationId: 'annotationQueues.query',
    readOnly: true,
    summary: 'Query annotation queues',
    description: 'Returns one queue per line, newest first unless `sort_by` is given. Deleted queues are omitted.',
    tags: ['Annotation Queues'],
    responses: describeJsonLines('Annotation queues, one per line', Queue),
  },
}

function queryQueues(
  services: QueuesServices,
  caller: Caller,
  { signal }: Request,
  { project_id, ...request }: Static<typeof queryQueuesRoute.body>,
) {
  const reader = caller.read(project_id)
  const { queues } = services.annotationQueues
  return jsonLinesResponse(services.streams, (left) => queues.jsonLines(reader, request, left), signal)
}

const updateQueueRoute = {
  params: QueuePath,
  body: QueueUpdate,
  response: { 200: QueueAnswer },
  detail: {
    operationId: 'annotationQueues.update',
    idempotencyKey: true,
    summary: 'Update an annotation queue',
    description: 'Members that are omitted or null are left unchanged.',
    tags: ['Annotation Queues'],
  },
}

const updateQueue = async (
  services: QueuesServices,
  caller: Caller,
  queueId: string,
  { project_id, ...changes }: Static<typeof updateQueueRoute.body>,
) => ({ queue: await services.annotationQueues.queues.update(caller.write(project_id), queueId, changes) })

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

const deleteQueueRoute = {
  params: QueuePath,
  query: OfProject,
  response: { 200: QueueAnswer },
  detail: {
    operationId: 'annotationQueues.delete',
    summary: 'Delete an annotation queue',
    description: 'Returns the deleted queue with `deleted_at` set. Its calls and the feedback given in it are kept.',
    tags: ['Annotation Queues'],
  },
}

const deleteQueue = async (services: QueuesServices, caller: Caller, queueId: string, projectId: string) => ({
  queue: await services.annotationQueues.queues.delete(caller.write(projectId), queueId),
})

const createQueueRoute = {
  body: QueueCreate,
  response: { 200: Type.Object({ id: Type.String() }) },
  detail: {
    operationId: 'annotationQueues.create',
    idempotencyKey: true,
    summary: 'Create an annotation queue',
    description: 'Names need not be unique.',
    tags: ['Annotation Queues'],
  },
}

const createQueue = async (
  services: QueuesServices,
  caller: Caller,
  { project_id, ...queue }: Static<typeof createQueueRoute.body>,
) => ({ id: await services.annotationQueues.queues.create(caller.write(project_id), queue) })

const readQueueRoute = {
  params: QueuePath,
  query: OfProject,
  response: { 200: QueueAnswer },
  detail: {
    operationId: 'annotationQueues.read',
    summary: 'Get an annotation queue',
    tags: ['Annotation Queues'],
  },
}

const readQueue = async (services: QueuesServices, caller: Caller, queueId: string, projectId: string) => ({
  queue: await services.annotationQueues.queues.read(caller.read(projectId), queueId),
})

/** Annotation queue operations. */
export const annotationQueuesApi = (services: QueuesServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/annotation_queues', ({ caller, body }) => createQueue(services, caller, body), createQueueRoute)
    .post(
      '/annotation_queues/query',
      ({ caller, request, body }) => queryQueues(services, caller, request, body),
      queryQueuesRoute,
    )
    .post('/annotation_queues/stats', ({ caller, body }) => queueStats(services, caller, body), queueStatsRoute)
    .post(
      '/annotation_queues/assignable',
      ({ caller, body }) => assignable(services, caller, body.project_id),
      assignableRoute,
    )
    .post('/annotation_queues/overview', ({ caller, body }) => overview(services, caller, body), overviewRoute)
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
    .put(
      '/annotation_queues/:queue_id/review',
      ({ caller, params, body }) => setReview(services, caller, params.queue_id, body),
      setReviewRoute,
    )
    .post(
      '/annotation_queues/:queue_id/claim',
      ({ caller, params, body }) => claim(services, caller, params.queue_id, body),
      claimRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items/:item_id/renew',
      ({ caller, params, body }) => renew(services, caller, params, body.project_id),
      renewRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items/:item_id/release',
      ({ caller, params, body }) => release(services, caller, params, body.project_id),
      releaseRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items/:item_id/submit',
      ({ caller, params, body }) => submit(services, caller, params, body),
      submitRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items/:item_id/skip',
      ({ caller, params, body }) => skip(services, caller, params, body),
      skipRoute,
    )
    .post(
      '/annotation_queues/:queue_id/items/:item_id/progress',
      ({ caller, params, body }) => updateProgress(services, caller, params, body),
      updateProgressRoute,
    )
