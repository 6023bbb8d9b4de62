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
  since: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Count `recent_answers` from this time; default: the last 24 hours',
    }),
  ),
})
export type OverviewRequest = Static<typeof OverviewRequest>

/** Reasons in one list. */
export const skipReasonsMax = 20
const SkipReasons = Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }), {
  description: `Why items were skipped, the most frequent reason first; at most ${skipReasonsMax}`,
})

/** What one person has done in a queue. */
const Reviewer = Type.Object({
  user_id: Type.String(),
  name: Type.Union([Type.String(), Type.Null()], { description: 'Name of the API key or account; null if it is gone' }),
  answers: Type.Integer({ description: 'Items completed' }),
  recent_answers: Type.Integer({ description: 'Those since `since`' }),
  skips: Type.Integer({ description: 'Items skipped' }),
  skip_reasons: SkipReasons,
  median_seconds: Type.Union([Type.Number(), Type.Null()], {
    description: 'Median time from the claim, or from the answer before, to the answer',
  }),
  last_answer_at: NullableTime,
})

/** How far the review of a queue is. */
export const QueueOverview = Type.Object({
  queue: Queue,
  review: ReviewSettings,
  items: Type.Integer(),
  finished_items: Type.Integer({ description: 'Items completed or skipped by at least one person' }),
  answers: Type.Integer({ description: 'Items completed, counted once for each person' }),
  items_by_answers: Type.Array(Type.Integer(), {
    description: 'How many items have no answer, one, and so on up to as many as the queue asks for, or more',
  }),
  left: Type.Integer({
    description: 'Items that wait for you: they lack an answer, and you have neither answered nor skipped them',
  }),
  claimed_items: Type.Integer({ description: 'Leases on items now' }),
  recent_answers: Type.Integer({ description: 'Answers since `since`' }),
  skips: Type.Integer(),
  skip_reasons: SkipReasons,
  last_answer_at: NullableTime,
  assigned_names: Type.Array(Type.Union([Type.String(), Type.Null()]), {
    description: 'Names of the people in `review.assigned_to`, in that order; null if the key or account is gone',
  }),
  reviewers: Type.Array(Reviewer, { description: 'Who has completed or skipped an item, most answers first' }),
})
export type QueueOverview = Static<typeof QueueOverview>

export const RemoveItems = OpenObject({
  project_id: ProjectId,
  item_ids: Type.Array(Type.String(), { maxItems: operationLimits.queueCallsPerRequestMax }),
})
