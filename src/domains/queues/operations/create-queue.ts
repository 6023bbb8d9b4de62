import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { QueueCreate } from '../model/annotation-queues.ts'
import type { QueuesServices } from './services.ts'

export const createQueueRoute = {
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

export const createQueue = async (
  services: QueuesServices,
  caller: Caller,
  { project_id, ...queue }: Static<typeof createQueueRoute.body>,
) => ({ id: await services.annotationQueues.queues.create(caller.write(project_id), queue) })
