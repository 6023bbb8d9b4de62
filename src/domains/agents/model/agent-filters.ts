import { type Static, Type } from '@sinclair/typebox'
import { QueryExpression } from '../../../formats/schemas/calls.ts'
import { Nullable, OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'

export const oneOf = <const T extends readonly string[]>(names: T) =>
  Type.Unsafe<T[number]>(Type.Union(names.map((name) => Type.Literal(name))))

const customSources = ['custom_attrs_string', 'custom_attrs_int', 'custom_attrs_float', 'custom_attrs_bool'] as const
export const CustomSource = oneOf(customSources)
export const Alias = Type.String({ pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$', maxLength: 128 })
export const Aggregation = oneOf(['sum', 'avg', 'min', 'max', 'count', 'count_distinct', 'count_true', 'count_false'])
export type SpanAggregation = Static<typeof Aggregation>
export const ValueType = oneOf(['datetime', 'number', 'boolean', 'string'])

/** A value of a span: a field, a derived one, or an attribute that is no field. */
export const SpanValueRef = OpenObject({
  key: Type.String(),
  source: Type.Optional(oneOf(['field', 'derived', ...customSources])),
})
export type SpanValueRef = Static<typeof SpanValueRef>

export const GroupRef = OpenObject({
  key: Type.String(),
  alias: Nullable(Type.String()),
  source: Type.Optional(oneOf(['field', 'column', ...customSources])),
})
export type GroupRef = Static<typeof GroupRef>

/** A statistic of the spans of a group. */
export const Measure = OpenObject({
  alias: Alias,
  aggregation: Aggregation,
  value: Nullable(SpanValueRef),
  value_type: Nullable(ValueType),
  filter: Nullable(QueryExpression),
})
export type SpanMeasure = Static<typeof Measure>

/** How the values of an attribute are distributed in each group. */
export const Distribution = OpenObject({
  alias: Alias,
  value: OpenObject({ key: Type.String(), source: CustomSource }),
  bins: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: operationLimits.agentDistributionBinsMax,
      default: operationLimits.agentDistributionBinsDefault,
      description: 'Ranges of numbers',
    }),
  ),
  top_n: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: operationLimits.agentDistributionValuesMax,
      default: operationLimits.agentDistributionValuesDefault,
      description: 'Most frequent texts and booleans',
    }),
  ),
})
export type SpanDistribution = Static<typeof Distribution>

const Bound = Type.Union([Type.Number(), Type.String({ description: 'ISO time' })])

const GroupFilter = OpenObject({
  measure: Measure,
  group_by: Nullable(Type.Array(GroupRef, { maxItems: 8, description: 'Groups to measure; those of the request' })),
  min: Nullable(Bound),
  max: Nullable(Bound),
})
export type GroupFilter = Static<typeof GroupFilter>

const values = (of: ReturnType<typeof Type.String> | ReturnType<typeof oneOf>) =>
  Type.Unsafe<string[]>(Type.Array(of, { minItems: 1, maxItems: operationLimits.filterValuesMax }))
const exclude = Type.Optional(Type.Boolean({ default: false, description: 'Leave matching conversations out' }))

const InsightFilter = Type.Union([
  OpenObject({
    field: oneOf(['intent_category', 'failure_category', 'intent_topic_id', 'failure_topic_id']),
    values: values(Type.String()),
    exclude,
  }),
  OpenObject({
    field: oneOf(['intent_sentiment']),
    values: values(oneOf(['frustrated', 'dissatisfied', 'neutral', 'satisfied', 'delighted'])),
    exclude,
  }),
  OpenObject({ field: oneOf(['failure_severity']), values: values(oneOf(['info', 'major', 'minor'])), exclude }),
])
export type InsightFilter = Static<typeof InsightFilter>

const SignalFilters = OpenObject({
  tags: Nullable(
    Type.Array(Type.String(), { maxItems: operationLimits.filterValuesMax, description: 'Any of these tags' }),
  ),
  ratings: Nullable(
    Type.Array(
      OpenObject({ scorer_key: Type.String(), op: oneOf(['gte', 'gt', 'lte', 'lt', 'eq']), value: Type.Number() }),
      { maxItems: 32, description: 'All of these conditions' },
    ),
  ),
})
export type SignalFilters = Static<typeof SignalFilters>

/** Members of a request that narrow the spans by their conversation or their group. */
export const spanFilters = {
  group_filters: Nullable(
    Type.Array(GroupFilter, { maxItems: 32, description: 'Ranges of statistics that groups must be in' }),
  ),
  insight_filters: Nullable(
    Type.Array(InsightFilter, {
      maxItems: 32,
      description: 'What feedback on a conversation, or an attribute of its spans, states in a member of this name',
    }),
  ),
  signal_filters: Nullable(SignalFilters),
}
