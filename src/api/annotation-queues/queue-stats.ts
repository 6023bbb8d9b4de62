import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../limits.ts'
import { QueueStats } from '../../model/annotation-queues.ts'
import type { Caller } from '../../model/caller.ts'
import { OpenObject } from '../../model/nullable.ts'
import { ProjectId } from '../../model/project-id.ts'
import type { Services } from '../../services/services.ts'

export const queueStatsRoute = {
  body: OpenObject({
    project_id: ProjectId,
    queue_ids: Type.Array(Type.String(), { maxItems: limits.queueStatsMax }),
  }),
  response: { 200: Type.Object({ stats: Type.Array(QueueStats) }) },
  detail: {
    operationId: 'annotationQueues.stats',
    summary: 'How far annotation queues are',
    description: 'One entry for each id, in order; zeros where there is no such queue.',
    tags: ['Annotation queues'],
  },
}

export const queueStats = async (
  services: Services,
  caller: Caller,
  { project_id, queue_ids }: Static<typeof queueStatsRoute.body>,
) => ({ stats: await services.annotationQueues.items.stats(caller.read(project_id), queue_ids) })
