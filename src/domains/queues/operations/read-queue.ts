import type { Caller } from '../../access/caller.ts'
import { QueueAnswer } from '../model/annotation-queues.ts'
import { OfProject, QueuePath } from './queue-path.ts'
import type { QueuesServices } from './services.ts'

export const readQueueRoute = {
  params: QueuePath,
  query: OfProject,
  response: { 200: QueueAnswer },
  detail: {
    operationId: 'annotationQueues.read',
    summary: 'Get an annotation queue',
    tags: ['Annotation Queues'],
  },
}

export const readQueue = async (services: QueuesServices, caller: Caller, queueId: string, projectId: string) => ({
  queue: await services.annotationQueues.queues.read(caller.read(projectId), queueId),
})
