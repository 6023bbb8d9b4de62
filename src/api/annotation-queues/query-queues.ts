import type { Static } from '@sinclair/typebox'
import { QueuesQuestion } from '../../model/annotation-queues.ts'
import type { Caller } from '../../model/caller.ts'
import type { Services } from '../../services/services.ts'

export const queryQueuesRoute = {
  body: QueuesQuestion,
  detail: {
    operationId: 'annotationQueues.query',
    summary: 'List annotation queues',
    description: 'One queue a line, newest first unless `sort_by` says otherwise. Deleted ones are left out.',
    tags: ['Annotation queues'],
    responses: { 200: { description: 'Queues as JSON Lines', content: { 'application/jsonl': {} } } },
  },
}

export async function queryQueues(
  services: Services,
  caller: Caller,
  { project_id, ...question }: Static<typeof queryQueuesRoute.body>,
) {
  const queues = await services.annotationQueues.queues.query(caller.read(project_id), question)
  const lines = queues.map((queue) => `${JSON.stringify(queue)}\n`)
  return new Response(lines.join(''), { headers: { 'content-type': 'application/jsonl' } })
}
