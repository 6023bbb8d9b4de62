import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { QueueAnswer, QueueUpdate } from '../model/annotation-queues.ts'
import { QueuePath } from './queue-path.ts'
import type { QueuesServices } from './services.ts'

export const updateQueueRoute = {
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

export const updateQueue = async (
  services: QueuesServices,
  caller: Caller,
  queueId: string,
  { project_id, ...changes }: Static<typeof updateQueueRoute.body>,
) => ({ queue: await services.annotationQueues.queues.update(caller.write(project_id), queueId, changes) })
