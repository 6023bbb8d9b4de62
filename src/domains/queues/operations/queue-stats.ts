import { type Static, Type } from '@sinclair/typebox'
import { OpenObject } from '../../../formats/schemas/nullable.ts'
import { limits } from '../../../lib/limits.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import type { Caller } from '../../access/caller.ts'
import { QueueStats } from '../model/annotation-queues.ts'
import type { QueuesServices } from './services.ts'

export const queueStatsRoute = {
  body: OpenObject({
    project_id: ProjectId,
    queue_ids: Type.Array(Type.String(), { maxItems: limits.queueStatsMax }),
  }),
  response: { 200: Type.Object({ stats: Type.Array(QueueStats) }) },
  detail: {
    operationId: 'annotationQueues.stats',
    readOnly: true,
    summary: 'Get the progress of annotation queues',
    description: 'Returns one entry per id, in the order given. Counts are zero for unknown queues.',
    tags: ['Annotation Queues'],
  },
}

export const queueStats = async (
  services: QueuesServices,
  caller: Caller,
  { project_id, queue_ids }: Static<typeof queueStatsRoute.body>,
) => ({ stats: await services.annotationQueues.items.stats(caller.read(project_id), queue_ids) })
