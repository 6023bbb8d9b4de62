import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { jsonListResponse } from '../../requests/json-lines.ts'
import { QueueItem, QueueItemsRequest } from '../model/annotation-queues.ts'
import { QueuePath } from './queue-path.ts'
import type { QueuesServices } from './services.ts'

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
  services: QueuesServices,
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
