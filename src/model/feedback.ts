import { type Static, Type } from '@sinclair/typebox'
import { ProjectId } from '../kernel/project-id.ts'
import { Time, TimeText } from '../kernel/time.ts'
import { FreeObject, Nullable, OpenObject } from './nullable.ts'

const Share = Type.Number({ minimum: 0, maximum: 1 })
const reasons = (description: string) => Nullable(Type.Record(Type.String(), Type.String(), { description }))
const shares = (description: string) => Nullable(Type.Record(Type.String(), Share, { description }))
const text = (description: string) => Nullable(Type.String({ description }))

const members = {
  id: text('id of the client’s choosing; generated where left out'),
  project_id: ProjectId,
  ext_ref: Type.String({ description: 'ref of what the feedback is about; it need not exist' }),
  creator: text('name to show'),
  feedback_type: Type.String(),
  payload: FreeObject,
  annotation_ref: text('for annotations: ref of the description of their form'),
  runnable_ref: text('ref of the op or object that judged'),
  call_ref: text('ref of the call that judged'),
  trigger_ref: text('ref of what set the judge to work'),
  queue_id: text('annotation queue'),
  scorer_tags: Nullable(Type.Array(Type.String())),
  scorer_tag_reasons: reasons('by tag'),
  scorer_tag_confidences: shares('by tag'),
  scorer_ratings: shares('by name of the rating'),
  scorer_rating_reasons: reasons('by name of the rating'),
  scorer_rating_confidences: shares('by name of the rating'),
  span_agent_name: text('agent that is judged'),
  span_agent_version: text('version of that agent'),
  span_status_code: text('status of the judged span; UNSET where left out'),
  span_conversation_id: text('conversation of the judged span'),
  span_trace_id: text('trace of the judged turn'),
  scorer_trace_id: text('trace of the judge'),
  ext_user_id: text('Filled in by the server'),
}

export const FeedbackCreate = OpenObject(members)
export type FeedbackCreate = Static<typeof FeedbackCreate>

export const FeedbackReplace = OpenObject({ ...members, feedback_id: Type.String() })
export type FeedbackReplace = Static<typeof FeedbackReplace>

/** What was stored. */
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
  trigger_ref: text('exactly this ref, or a prefix ending in `:*` for all versions'),
}

const ValueType = Type.Union([Type.Literal('numeric'), Type.Literal('boolean'), Type.Literal('categorical')])
export type ValueType = Static<typeof ValueType>

export const FeedbackMetric = OpenObject({
  json_path: Type.String({ description: 'dotted path inside the payload' }),
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

export const FeedbackStatsQuestion = OpenObject({
  ...range,
  granularity: Nullable(Type.Integer({ description: 'seconds of a bucket; chosen from the range where left out' })),
  timezone: Nullable(Type.String({ default: 'UTC', description: 'IANA time zone in which buckets are aligned' })),
  metrics: Nullable(Type.Array(FeedbackMetric)),
})
export type FeedbackStatsQuestion = Static<typeof FeedbackStatsQuestion>

const NumberOrNull = Type.Union([Type.Number(), Type.Null()])

export const FeedbackStats = Type.Object({
  start: TimeText,
  end: TimeText,
  granularity: Type.Integer(),
  timezone: Type.String(),
  buckets: Type.Array(Type.Record(Type.String(), Type.Union([Type.String(), NumberOrNull]))),
  window_stats: Type.Union([Type.Record(Type.String(), Type.Record(Type.String(), NumberOrNull)), Type.Null()]),
})
export type FeedbackStats = Static<typeof FeedbackStats>

export const PayloadSchemaQuestion = OpenObject({
  ...range,
  sample_limit: Nullable(Type.Integer({ minimum: 1, maximum: 5000, default: 2000 })),
})
export type PayloadSchemaQuestion = Static<typeof PayloadSchemaQuestion>

export const PayloadPath = Type.Object({ json_path: Type.String(), value_type: ValueType })
export type PayloadPath = Static<typeof PayloadPath>

const texts = (description: string) => Nullable(Type.Array(Type.String(), { description }))
const Dimension = Type.Union([
  Type.Literal('scorer_id'),
  Type.Literal('span_agent_name'),
  Type.Literal('span_agent_version'),
  Type.Literal('span_status_code'),
])

export const FeedbackAggregateQuestion = OpenObject({
  project_id: ProjectId,
  after_ms: Type.Integer({ minimum: 0, description: 'inclusive; unix milliseconds' }),
  before_ms: Type.Integer({ minimum: 0, description: 'exclusive; unix milliseconds' }),
  time_bucket_seconds: Nullable(Type.Integer({ exclusiveMinimum: 0 })),
  feedback_types: texts('prefixes of types'),
  tags: texts('feedback that has any of them'),
  rating_min: Nullable(Share),
  rating_max: Nullable(Share),
  monitor_ids: texts('names or refs of monitors; a trailing `*` makes a prefix'),
  scorer_ids: texts('names or refs of scorers; a trailing `*` makes a prefix'),
  span_agent_names: texts('agents'),
  span_types: Nullable(Type.Array(Type.Union([Type.Literal('agent_turn'), Type.Literal('agent_conversation')]))),
  group_by: Nullable(Type.Array(Dimension)),
})
export type FeedbackAggregateQuestion = Static<typeof FeedbackAggregateQuestion>

const Counts = Type.Record(Type.String(), Type.Integer())

export const FeedbackAggregateBucket = Type.Object({
  time_bucket_start_ms: Type.Union([Type.Integer(), Type.Null()]),
  group: Type.Record(Type.String(), Type.String()),
  total_count: Type.Integer(),
  scored_count: Type.Integer({ description: 'rows with at least one tag or rating' }),
  tag_counts: Counts,
  rating_counts: Counts,
  rating_sums: Type.Record(Type.String(), Type.Number()),
})
export type FeedbackAggregateBucket = Static<typeof FeedbackAggregateBucket>

export const FeedbackAggregate = Type.Object({
  time_bucket_seconds: Type.Union([Type.Integer(), Type.Null()]),
  after_ms: Type.Integer(),
  before_ms: Type.Integer(),
  buckets: Type.Array(FeedbackAggregateBucket),
})
export type FeedbackAggregate = Static<typeof FeedbackAggregate>
