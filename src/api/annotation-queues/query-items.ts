import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { QueueItem, QueueItemsRequest } from '../../model/annotation-queues.ts'
import type { Services } from '../../services.ts'
import { jsonListResponse } from '../json-lines.ts'
import { QueuePath } from './queue-path.ts'

export const queryItemsRoute = {
  params: QueuePath,
  body: QueueItemsRequest,
  response: { 200: Type.Object({ items: Type.Array(QueueItem) }) },
  detail: {
    operationId: 'annotationQueues.queryItems',
    readOnly: true,
    summary: 'Query the items of an annotation queue',
    description:
      'Items are returned in the order in which they were added unless `sort_by` is given. The state of an item ' +
      'is the one set most recently by any annotator.',
    tags: ['Annotation Queues'],
  },
}

/**
 * Returns JSON text as stored: reserializing feedback payloads would change numbers such as `1.0`.
 */
export function queryItems(
  services: Services,
  caller: Caller,
  { signal }: Request,
  queueId: string,
  { project_id, ...question }: Static<typeof queryItemsRoute.body>,
) {
  const reader = caller.read(project_id)
  const { items } = services.annotationQueues
  return jsonListResponse(services.streams, 'items', (left) => items.query(reader, queueId, question, left), {
    clientLeft: signal,
  })
}
