import { type Static, Type } from '@sinclair/typebox'
import { CallsQuery } from '../../../formats/schemas/calls.ts'
import { Nullable, OpenObject } from '../../../formats/schemas/members.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { Time, TimeText } from '../../../lib/time.ts'

const oneOf = <const T extends readonly string[]>(names: T) =>
  Type.Union(names.map((name: T[number]) => Type.Literal(name)))

const Aggregation = oneOf(['sum', 'avg', 'min', 'max', 'count', 'count_true', 'count_false'])
export type Aggregation = Static<typeof Aggregation>

/** An aggregate of the values of one metric. */
export interface Statistic {
  /** An aggregation, or a percentile from 0 to 100. */
  readonly of: Aggregation | number
  /** Prefix of the response member, before the name of the metric. */
  readonly name: string
}

const statistics = {
  aggregations: Nullable(Type.Array(Aggregation)),
  percentiles: Nullable(Type.Array(Type.Number({ description: 'From 0 to 100' }))),
}

export const UsageMetric = oneOf([
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'input_cost',
  'output_cost',
  'total_cost',
])
export type UsageMetric = Static<typeof UsageMetric>

export const CallMetric = oneOf(['latency_ms', 'call_count', 'error_count'])
export type CallMetric = Static<typeof CallMetric>

const ScoreMetric = OpenObject({
  json_path: Type.String({
    maxLength: explorationLimits.fieldPathCharsMax,
    description: 'Dotted path in the payload of feedback on the calls: a number, or true and false as 1 and 0',
  }),
  feedback_type: Nullable(Type.String({ description: 'Only feedback of this type' })),
  ...statistics,
})

const { project_id, filter, query, engine } = CallsQuery.properties

export const CallStatsRequest = OpenObject({
  project_id,
  start: Time,
  end: Nullable(Time),
  granularity: Nullable(Type.Integer({ description: 'Bucket size in seconds; derived from the range if omitted' })),
  usage_metrics: Nullable(Type.Array(OpenObject({ metric: UsageMetric, ...statistics }))),
  call_metrics: Nullable(Type.Array(OpenObject({ metric: CallMetric, ...statistics }))),
  score: Nullable(ScoreMetric),
  totals: Nullable(
    Type.Boolean({ default: false, description: 'Whether to return statistics of the whole range too' }),
  ),
  filter,
  query,
  group_by: Nullable(
    Type.String({
      maxLength: explorationLimits.fieldPathCharsMax,
      description: 'Path of a field by whose values the buckets are divided, as in queries, or `model`',
    }),
  ),
  group_limit: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: operationLimits.statsGroupsMax,
      default: operationLimits.statsGroupsDefault,
      description: 'Maximum number of groups: the ones with most calls; the others are added up',
    }),
  ),
  histogram: Nullable(
    OpenObject({
      metric: Type.Literal('latency_ms'),
      buckets: Nullable(
        Type.Integer({
          minimum: 1,
          maximum: operationLimits.statsRangesMax,
          default: operationLimits.statsRangesDefault,
          description: 'Number of ranges; each is a constant factor wider than the one before',
        }),
      ),
    }),
  ),
  timezone: Nullable(Type.String({ default: 'UTC', description: 'IANA time zone that buckets are aligned to' })),
  engine,
})
export type CallStatsRequest = Static<typeof CallStatsRequest>

const Row = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), {
  description:
    'With `group_by`, each has a member `group`: the value, or null for calls without one. The buckets of all ' +
    'other groups together have `is_other` instead.',
})
export type StatsRow = Static<typeof Row>
const Buckets = Type.Array(Row)

const totals = (of: string) =>
  Type.Optional(Type.Array(Row, { description: `${of} for the whole range, without \`timestamp\`` }))

const Histogram = Type.Object({
  metric: Type.Literal('latency_ms'),
  bounds: Type.Array(Type.Number(), {
    description: 'Ascending; a range is from one bound to below the next, and the last one includes the last bound',
  }),
  buckets: Type.Array(
    Type.Object({
      timestamp: TimeText,
      counts: Type.Array(Type.Integer(), {
        description: 'Calls by range; calls that are still running have no latency',
      }),
    }),
  ),
})

export const CallStats = Type.Object({
  start: TimeText,
  end: TimeText,
  granularity: Type.Integer(),
  timezone: Type.String(),
  usage_buckets: Buckets,
  call_buckets: Buckets,
  score_buckets: Type.Optional(
    Type.Array(Row, {
      description: 'By start of the calls; `count` is the number of scores. Each feedback on a call is one',
    }),
  ),
  usage_totals: totals('`usage_buckets`'),
  call_totals: totals('`call_buckets`'),
  score_totals: totals('`score_buckets`'),
  histogram: Type.Optional(Histogram),
})
export type CallStats = Static<typeof CallStats>
