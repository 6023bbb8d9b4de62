import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../access/index.ts'
import { FinishedItem, FinishedRequest } from '../model/finished.ts'
import { QueuePath, type QueuesServices } from './services.ts'

export const finishedRoute = {
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

export const finished = async (
  services: QueuesServices,
  caller: Caller,
  queueId: string,
  { project_id, ...request }: Static<typeof finishedRoute.body>,
) => ({ finished: await services.annotationQueues.finished(caller.read(project_id), queueId, request) })
