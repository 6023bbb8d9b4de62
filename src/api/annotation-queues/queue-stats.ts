import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { ProjectId } from '../../kernel/project-id.ts'
import { limits } from '../../limits.ts'
import { QueueStats } from '../../model/annotation-queues.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'

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
  services: Services,
  caller: Caller,
  { project_id, queue_ids }: Static<typeof queueStatsRoute.body>,
) => ({ stats: await services.annotationQueues.items.stats(caller.read(project_id), queue_ids) })
