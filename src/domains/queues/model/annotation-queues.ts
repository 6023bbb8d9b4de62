import { type Static, Type } from '@sinclair/typebox'
import { SortBy } from '../../../formats/schemas/calls.ts'
import { FreeObject, Nullable, NullableText, NullableTime, OpenObject } from '../../../formats/schemas/members.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { TimeText } from '../../../lib/time.ts'

const Text = Type.String()
const Name = Type.String({ maxLength: operationLimits.queueNameCharsMax })
const Description = Type.String({ maxLength: operationLimits.queueDescriptionCharsMax })
const ScorerRefs = Type.Array(Type.String({ maxLength: operationLimits.refCharsMax }), {
  maxItems: operationLimits.queueScorersMax,
  description: 'Scorer refs that define what annotators fill in',
})

export const QueueCreate = OpenObject({
  project_id: ProjectId,
  name: Name,
  description: Nullable(Description),
  scorer_refs: ScorerRefs,
  ext_user_id: Nullable(Type.String({ description: 'Set by the server' })),
})
export type QueueCreate = Static<typeof QueueCreate>

export const QueueUpdate = OpenObject({
  project_id: ProjectId,
  name: Nullable(Name),
  description: Nullable(Description),
  scorer_refs: Nullable(ScorerRefs),
})
export type QueueUpdate = Static<typeof QueueUpdate>

const page = {
  sort_by: Nullable(Type.Array(SortBy)),
  limit: Nullable(Type.Integer()),
  offset: Nullable(Type.Integer()),
}

export const QueuesRequest = OpenObject({
  project_id: ProjectId,
  name: Nullable(Type.String({ description: 'Case-insensitive substring of the name' })),
  ...page,
})
export type QueuesRequest = Static<typeof QueuesRequest>

/** A list of calls for people to review one by one. */
export const Queue = Type.Object({
  id: Text,
  project_id: Text,
  name: Text,
  description: Text,
  scorer_refs: Type.Array(Text),
  created_at: TimeText,
  created_by: Text,
  updated_at: TimeText,
  deleted_at: NullableTime,
})
export type Queue = Static<typeof Queue>

export const QueueAnswer = Type.Object({ queue: Queue })

export const QueueCalls = OpenObject({
  project_id: ProjectId,
  call_ids: Type.Array(Text, { maxItems: operationLimits.queueCallsPerRequestMax }),
  display_fields: Type.Array(Type.String({ maxLength: explorationLimits.fieldPathCharsMax }), {
    maxItems: operationLimits.columnsMax,
    description: 'Paths of the members shown to annotators, such as inputs.question',
  }),
})
export type QueueCalls = Static<typeof QueueCalls>

export const AddedCalls = Type.Object({
  added_count: Type.Integer(),
  duplicates: Type.Integer({ description: 'Number of calls that were already in the queue' }),
})
export type AddedCalls = Static<typeof AddedCalls>

export const AnnotationState = Type.Union([
  Type.Literal('unstarted'),
  Type.Literal('in_progress'),
  Type.Literal('completed'),
  Type.Literal('skipped'),
])
export type AnnotationState = Static<typeof AnnotationState>

const QueueItemsFilter = OpenObject({
  id: Nullable(Text),
  call_id: Nullable(Text),
  call_op_name: Nullable(Text),
  call_trace_id: Nullable(Text),
  added_by: Nullable(Type.String({ description: 'Id of the user who added the call' })),
  annotation_states: Nullable(Type.Array(AnnotationState, { maxItems: operationLimits.filterValuesMax })),
})

export const QueueItemsRequest = OpenObject({
  project_id: ProjectId,
  filter: Nullable(QueueItemsFilter),
  ...page,
  include_position: Type.Optional(
    Type.Union([Type.Boolean(), Type.Null()], { default: false, description: 'Include `position_in_queue`' }),
  ),
  include_feedback: Type.Optional(
    Type.Union([Type.Boolean(), Type.Null()], {
      default: false,
      description: 'Include the feedback given on the call in this queue',
    }),
  ),
})
export type QueueItemsRequest = Static<typeof QueueItemsRequest>

/** A call in a queue with the state of its annotation. */
export const QueueItem = Type.Object({
  id: Text,
  project_id: Text,
  queue_id: Text,
  call_id: Text,
  call_started_at: TimeText,
  call_ended_at: NullableTime,
  call_op_name: Text,
  call_trace_id: Text,
  display_fields: Type.Array(Text),
  added_by: NullableText,
  annotation_state: AnnotationState,
  annotator_user_id: NullableText,
  created_at: TimeText,
  created_by: Text,
  updated_at: TimeText,
  deleted_at: NullableTime,
  position_in_queue: Type.Union([Type.Integer(), Type.Null()], {
    description: '1-based position in the whole queue, in the requested order',
  }),
  compared_call_id: Type.Optional(Type.String({ description: 'Only in items that compare two calls' })),
  feedback: Type.Optional(Type.Array(FreeObject, { description: 'Present only with `include_feedback`' })),
})
export type QueueItem = Static<typeof QueueItem>

export const ProgressUpdate = OpenObject({
  project_id: ProjectId,
  annotation_state: Type.String({ description: '`in_progress`, `completed` or `skipped`' }),
})
export type ProgressUpdate = Static<typeof ProgressUpdate>

export const QueueStats = Type.Object({
  queue_id: Text,
  total_items: Type.Integer(),
  completed_items: Type.Integer({ description: 'Items completed or skipped by at least one annotator' }),
})
export type QueueStats = Static<typeof QueueStats>
