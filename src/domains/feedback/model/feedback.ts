import { type Static, Type } from '@sinclair/typebox'
import { FreeObject, Nullable, NullableInteger, NullableNumber, OpenObject } from '../../../formats/schemas/members.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { Time, TimeText } from '../../../lib/time.ts'

const Share = Type.Number({ minimum: 0, maximum: 1 })
const reasons = (description: string) => Nullable(Type.Record(Type.String(), Type.String(), { description }))
const shares = (description: string) => Nullable(Type.Record(Type.String(), Share, { description }))
const text = (description: string) => Nullable(Type.String({ description }))

const members = {
  id: text('Feedback id; generated if omitted'),
  project_id: ProjectId,
  ext_ref: Type.String({ description: 'Ref of the call or object that the feedback is about; it need not exist' }),
  creator: text('Display name of the author'),
  feedback_type: Type.String(),
  payload: FreeObject,
  annotation_ref: text('Ref of the annotation spec (annotations only)'),
  runnable_ref: text('Ref of the op or object that produced the feedback'),
  call_ref: text('Ref of the call that produced the feedback'),
  trigger_ref: text('Ref of what triggered the scoring'),
  queue_id: text('Annotation queue id'),
  scorer_tags: Nullable(Type.Array(Type.String())),
  scorer_tag_reasons: reasons('Reasons by tag'),
  scorer_tag_confidences: shares('Confidences from 0 to 1 by tag'),
  scorer_ratings: shares('Ratings from 0 to 1 by rating name'),
  scorer_rating_reasons: reasons('Reasons by rating name'),
  scorer_rating_confidences: shares('Confidences from 0 to 1 by rating name'),
  span_agent_name: text('Name of the scored agent'),
  span_agent_version: text('Version of the scored agent'),
  span_status_code: text('Status of the scored span; `UNSET` if omitted'),
  span_conversation_id: text('Conversation of the scored span'),
  span_trace_id: text('Trace of the scored turn'),
  scorer_trace_id: text('Trace of the scorer'),
  ext_user_id: text('Set by the server'),
}

export const FeedbackCreate = OpenObject(members)
export type FeedbackCreate = Static<typeof FeedbackCreate>

export const FeedbackReplace = OpenObject({ ...members, feedback_id: Type.String() })
export type FeedbackReplace = Static<typeof FeedbackReplace>

/** The stored feedback. */
export const FeedbackReceipt = Type.Object({
  id: Type.String(),
  created_at: TimeText,
  ext_user_id: Type.String(),
  payload: FreeObject,
})
export type FeedbackReceipt = Static<typeof FeedbackReceipt>

const range = {
  project_id: ProjectId,
  start: Time,
  end: Nullable(Time),
  feedback_type: Nullable(Type.String()),
  trigger_ref: text('An exact ref, or a prefix ending in `:*` to match all versions'),
}

const ValueType = Type.Union([Type.Literal('numeric'), Type.Literal('boolean'), Type.Literal('categorical')])
export type ValueType = Static<typeof ValueType>

export const FeedbackMetric = OpenObject({
  json_path: Type.String({ description: 'Dotted path in the payload' }),
  value_type: Type.Optional(ValueType),
  aggregations: Nullable(
    Type.Array(
      Type.Union(
        (['sum', 'avg', 'min', 'max', 'count', 'count_true', 'count_false'] as const).map((name) => Type.Literal(name)),
      ),
    ),
  ),
  percentiles: Nullable(Type.Array(Type.Number())),
})
export type FeedbackMetric = Static<typeof FeedbackMetric>

export const FeedbackStatsRequest = OpenObject({
  ...range,
  granularity: Nullable(Type.Integer({ description: 'Bucket size in seconds; derived from the range if omitted' })),
  timezone: Nullable(Type.String({ default: 'UTC', description: 'IANA time zone that buckets are aligned to' })),
  metrics: Nullable(Type.Array(FeedbackMetric)),
})
export type FeedbackStatsRequest = Static<typeof FeedbackStatsRequest>

export const FeedbackStats = Type.Object({
  start: TimeText,
  end: TimeText,
  granularity: Type.Integer(),
  timezone: Type.String(),
  buckets: Type.Array(Type.Record(Type.String(), Type.Union([Type.String(), NullableNumber]))),
  window_stats: Type.Union([Type.Record(Type.String(), Type.Record(Type.String(), NullableNumber)), Type.Null()]),
})
export type FeedbackStats = Static<typeof FeedbackStats>

export const PayloadSchemaRequest = OpenObject({
  ...range,
  sample_limit: Nullable(Type.Integer({ minimum: 1, maximum: 5000, default: 2000 })),
})
export type PayloadSchemaRequest = Static<typeof PayloadSchemaRequest>

export const PayloadPath = Type.Object({ json_path: Type.String(), value_type: ValueType })
export type PayloadPath = Static<typeof PayloadPath>

const texts = (description: string) => Nullable(Type.Array(Type.String(), { description }))
const Dimension = Type.Union([
  Type.Literal('scorer_id'),
  Type.Literal('span_agent_name'),
  Type.Literal('span_agent_version'),
  Type.Literal('span_status_code'),
])

export const FeedbackAggregateRequest = OpenObject({
  project_id: ProjectId,
  after_ms: Type.Integer({ minimum: 0, description: 'Unix milliseconds, inclusive' }),
  before_ms: Type.Integer({ minimum: 0, description: 'Unix milliseconds, exclusive' }),
  time_bucket_seconds: Nullable(Type.Integer({ exclusiveMinimum: 0 })),
  feedback_types: texts('Prefixes of feedback types'),
  tags: texts('Only feedback with any of these tags'),
  rating_min: Nullable(Share),
  rating_max: Nullable(Share),
  monitor_ids: texts('Monitor names or refs; a trailing `*` matches a prefix'),
  scorer_ids: texts('Scorer names or refs; a trailing `*` matches a prefix'),
  span_agent_names: texts('Agent names'),
  span_types: Nullable(Type.Array(Type.Union([Type.Literal('agent_turn'), Type.Literal('agent_conversation')]))),
  group_by: Nullable(Type.Array(Dimension)),
})
export type FeedbackAggregateRequest = Static<typeof FeedbackAggregateRequest>

const Counts = Type.Record(Type.String(), Type.Integer())

export const FeedbackAggregateBucket = Type.Object({
  time_bucket_start_ms: NullableInteger,
  group: Type.Record(Type.String(), Type.String()),
  total_count: Type.Integer(),
  scored_count: Type.Integer({ description: 'Feedback with at least one tag or rating' }),
  tag_counts: Counts,
  rating_counts: Counts,
  rating_sums: Type.Record(Type.String(), Type.Number()),
})
export type FeedbackAggregateBucket = Static<typeof FeedbackAggregateBucket>

export const FeedbackAggregate = Type.Object({
  time_bucket_seconds: NullableInteger,
  after_ms: Type.Integer(),
  before_ms: Type.Integer(),
  buckets: Type.Array(FeedbackAggregateBucket),
})
export type FeedbackAggregate = Static<typeof FeedbackAggregate>
