import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/index.ts'
import { AddedCalls } from '../model/annotation-queues.ts'
import { PairsRequest } from '../model/pairs.ts'
import { QueuePath, type QueuesServices } from './services.ts'

export const addPairsRoute = {
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

export const addPairs = (
  services: QueuesServices,
  caller: Caller,
  queueId: string,
  { project_id, pairs }: Static<typeof addPairsRoute.body>,
) => services.annotationQueues.items.addPairs(caller.write(project_id), queueId, pairs)
