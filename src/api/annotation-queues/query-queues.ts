import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { QueuesQuestion } from '../../model/annotation-queues.ts'
import type { Services } from '../../services.ts'
import { answerJsonLines, jsonLinesAnswer } from '../json-lines.ts'

export const queryQueuesRoute = {
  body: QueuesQuestion,
  detail: {
    operationId: 'annotationQueues.query',
    summary: 'Query annotation queues',
    description: 'Returns one queue per line, newest first unless `sort_by` is given. Deleted queues are omitted.',
    tags: ['Annotation Queues'],
    responses: jsonLinesAnswer('Annotation queues, one per line'),
  },
}

export function queryQueues(
  services: Services,
  caller: Caller,
  { signal }: Request,
  { project_id, ...question }: Static<typeof queryQueuesRoute.body>,
) {
  const reader = caller.read(project_id)
  const { queues } = services.annotationQueues
  return answerJsonLines(services.streams, (left) => queues.jsonLines(reader, question, left), signal)
}
