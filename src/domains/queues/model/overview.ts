import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableTime, OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { Queue } from './annotation-queues.ts'
import { ReviewSettings } from './review.ts'

export const OverviewRequest = OpenObject({
  project_id: ProjectId,
  queue_ids: Nullable(
    Type.Array(Type.String(), { maxItems: operationLimits.queueStatsMax, description: 'Default: all queues' }),
  ),
})
export type OverviewRequest = Static<typeof OverviewRequest>

/** What one person has done in a queue. */
const Reviewer = Type.Object({
  user_id: Type.String(),
  answers: Type.Integer({ description: 'Items completed' }),
  skips: Type.Integer({ description: 'Items skipped' }),
  last_answer_at: NullableTime,
})

/** How far the review of a queue is. */
export const QueueOverview = Type.Object({
  queue: Queue,
  review: ReviewSettings,
  items: Type.Integer(),
  finished_items: Type.Integer({ description: 'Items completed or skipped by at least one person' }),
  answers: Type.Integer({ description: 'Items completed, counted once for each person' }),
  skips: Type.Integer(),
  last_answer_at: NullableTime,
  reviewers: Type.Array(Reviewer, { description: 'Who has completed or skipped an item, most answers first' }),
})
export type QueueOverview = Static<typeof QueueOverview>

export const RemoveItems = OpenObject({
  project_id: ProjectId,
  item_ids: Type.Array(Type.String(), { maxItems: operationLimits.queueCallsPerRequestMax }),
})
