import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { AddedCalls, QueueCalls } from '../model/annotation-queues.ts'
import { QueuePath } from './queue-path.ts'
import type { QueuesServices } from './services.ts'

export const addCallsRoute = {
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

export const addCalls = (
  services: QueuesServices,
  caller: Caller,
  queueId: string,
  { project_id, ...calls }: Static<typeof addCallsRoute.body>,
) => services.annotationQueues.items.add(caller.write(project_id), queueId, calls)
