import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { QueuesQuestion } from '../../model/annotation-queues.ts'
import type { Services } from '../../services.ts'
import { answerJsonLines, jsonLinesAnswer } from '../json-lines.ts'

export const queryQueuesRoute = {
  body: QueuesQuestion,
  detail: {
    operationId: 'annotationQueues.query',
    summary: 'List annotation queues',
    description: 'One queue a line, newest first unless `sort_by` says otherwise. Deleted ones are left out.',
    tags: ['Annotation queues'],
    responses: jsonLinesAnswer('Queues, one a line'),
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
