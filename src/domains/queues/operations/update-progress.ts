import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { ProgressUpdate, QueueItem } from '../model/annotation-queues.ts'
import type { QueuesServices } from './services.ts'

export const updateProgressRoute = {
  params: Type.Object({ queue_id: Type.String(), item_id: Type.String() }),
  body: ProgressUpdate,
  response: { 200: Type.Object({ item: QueueItem }) },
  detail: {
    operationId: 'annotationQueues.updateProgress',
    idempotencyKey: true,
    summary: 'Update your progress on an item',
    description:
      'Progress is tracked per user of the API key. An item without progress can enter any state; from ' +
      '`in_progress` it can move to `completed` or `skipped`.',
    tags: ['Annotation Queues'],
  },
}

export const updateProgress = async (
  services: QueuesServices,
  caller: Caller,
  { queue_id, item_id }: Static<typeof updateProgressRoute.params>,
  { project_id, annotation_state }: Static<typeof updateProgressRoute.body>,
) => ({
  item: await services.annotationQueues.progress.update(caller.write(project_id), queue_id, item_id, annotation_state),
})
