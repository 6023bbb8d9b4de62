import { type Static, Type } from '@sinclair/typebox'
import { parseTime } from '../../../lib/time.ts'
import type { Caller } from '../../access/index.ts'
import { OverviewRequest, QueueOverview, RemoveItems } from '../model/overview.ts'
import { QueuePath, type QueuesServices } from './services.ts'

export const overviewRoute = {
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

export const overview = async (
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

export const removeItemsRoute = {
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

export const removeItems = async (
  services: QueuesServices,
  caller: Caller,
  queueId: string,
  { project_id, item_ids }: Static<typeof removeItemsRoute.body>,
) => ({
  removed_count: await services.annotationQueues.items.remove(caller.write(project_id), queueId, item_ids),
})
