import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { describeJsonLines, jsonLinesResponse } from '../../requests/json-lines.ts'
import { Queue, QueuesRequest } from '../model/annotation-queues.ts'
import type { QueuesServices } from './services.ts'

export const queryQueuesRoute = {
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

export function queryQueues(
  services: QueuesServices,
  caller: Caller,
  { signal }: Request,
  { project_id, ...question }: Static<typeof queryQueuesRoute.body>,
) {
  const reader = caller.read(project_id)
  const { queues } = services.annotationQueues
  return jsonLinesResponse(services.streams, (left) => queues.jsonLines(reader, question, left), signal)
}
