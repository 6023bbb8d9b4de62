import type { Caller } from '../../access/caller.ts'
import { QueueAnswer } from '../model/annotation-queues.ts'
import { OfProject, QueuePath } from './queue-path.ts'
import type { QueuesServices } from './services.ts'

export const deleteQueueRoute = {
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

export const deleteQueue = async (services: QueuesServices, caller: Caller, queueId: string, projectId: string) => ({
  queue: await services.annotationQueues.queues.delete(caller.write(projectId), queueId),
})
