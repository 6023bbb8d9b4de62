import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/index.ts'
import { AddByQuery, AddedByQuery } from '../model/add-by-query.ts'
import { QueuePath, type QueuesServices } from './services.ts'

export const addByQueryRoute = {
  params: QueuePath,
  body: AddByQuery,
  response: { 200: AddedByQuery },
  detail: {
    operationId: 'annotationQueues.addByQuery',
    idempotencyKey: true,
    summary: 'Add the calls that match a query to an annotation queue',
    description:
      'Takes the newest matching calls, or with `sample_seed` a random sample. With `disagreement`, only calls ' +
      'of which the newest values of two feedback types differ: numbers by more than `apart`, anything else as ' +
      'JSON. Calls that are in the queue already are counted and left as they are, so a repeated request adds ' +
      'only what matches since then. `filter.thread_ids` adds the calls of threads.',
    tags: ['Annotation Queues'],
  },
}

export const addByQuery = (
  services: QueuesServices,
  caller: Caller,
  { signal }: Request,
  queueId: string,
  { project_id, ...request }: Static<typeof addByQueryRoute.body>,
) => services.annotationQueues.addByQuery(caller.write(project_id), queueId, request, services.costs, signal)
