import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { parseTime } from '../../../lib/time.ts'
import type { Caller } from '../../access/index.ts'
import { describeJsonLines, jsonLinesResponse, requestContext } from '../../requests/index.ts'
import { Queue, QueueAnswer, QueueCreate, QueueStats, QueuesRequest, QueueUpdate } from '../model/annotation-queues.ts'
import { OverviewRequest, QueueOverview } from '../model/overview.ts'
import { QueuePath, type QueuesServices } from './services.ts'

/** Query string of operations without a body. */
const OfProject = OpenObject({ project_id: ProjectId })

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

const overviewRoute = {
  body: OverviewRequest,
  response: { 200: Type.Object({ queues: Type.Array(QueueOverview) }) },
  detail: {
    operationId: 'annotationQueues.overview',
    readOnly: true,
    summary: 'Get how far the review of queues is',
    description:
      'Returns one entry per queue: its items, the answers in it, and what each person has done. Unknown and ' +
      'deleted queues are left out.',
    tags: ['Annotation Queues'],
  },
}

const overview = async (
  services: QueuesServices,
  caller: Caller,
  { project_id, queue_ids, since }: Static<typeof overviewRoute.body>,
) => ({
  queues: await services.annotationQueues.overview(caller.read(project_id), {
    queueIds: queue_ids ?? undefined,
    since: since == null ? undefined : parseTime(since),
    names: services.access.usernames(),
  }),
})

/** Annotation queues themselves. */
export const queuesApi = (services: QueuesServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/annotation_queues', ({ caller, body }) => createQueue(services, caller, body), createQueueRoute)
    .post(
      '/annotation_queues/query',
      ({ caller, request, body }) => queryQueues(services, caller, request, body),
      queryQueuesRoute,
    )
    .post('/annotation_queues/stats', ({ caller, body }) => queueStats(services, caller, body), queueStatsRoute)
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
