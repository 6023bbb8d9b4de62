import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { QueueItem, QueueItemsQuestion } from '../../model/annotation-queues.ts'
import type { Services } from '../../services.ts'
import { answerJsonList } from '../json-lines.ts'
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
export function queryItems(
  services: Services,
  caller: Caller,
  { signal }: Request,
  queueId: string,
  { project_id, ...question }: Static<typeof queryItemsRoute.body>,
) {
  const reader = caller.read(project_id)
  const { items } = services.annotationQueues
  return answerJsonList(services.streams, 'items', (left) => items.query(reader, queueId, question, left), {
    clientLeft: signal,
  })
}
