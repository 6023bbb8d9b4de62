import { type Static, Type } from '@sinclair/typebox'
import { QueueItem, QueueItemsQuestion } from '../../model/annotation-queues.ts'
import type { Caller } from '../../model/caller.ts'
import type { Services } from '../../services/services.ts'
import { QueuePath } from './queue-path.ts'

export const queryItemsRoute = {
  params: QueuePath,
  body: QueueItemsQuestion,
  response: { 200: Type.Object({ items: Type.Array(QueueItem) }) },
  detail: {
    operationId: 'annotationQueues.queryItems',
    summary: 'List the calls of an annotation queue',
    description:
      'In the order of adding unless `sort_by` says otherwise. An item shows the state that any annotator set last.',
    tags: ['Annotation queues'],
  },
}

/** Answers with text of its own: printing payloads of feedback anew would change numbers such as `1.0`. */
export async function queryItems(
  services: Services,
  caller: Caller,
  queueId: string,
  { project_id, ...question }: Static<typeof queryItemsRoute.body>,
) {
  const found = await services.annotationQueues.items.query(caller.read(project_id), queueId, question)
  const items = found.map(({ item, feedback }) => {
    const text = JSON.stringify(item)
    return feedback === undefined ? text : `${text.slice(0, -1)},"feedback":[${feedback}]}`
  })
  return new Response(`{"items":[${items.join(',')}]}`, { headers: { 'content-type': 'application/json' } })
}
