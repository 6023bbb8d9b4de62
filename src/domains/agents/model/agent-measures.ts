import { type Static, Type } from '@sinclair/typebox'
import { QueryExpression } from '../../../formats/schemas/calls.ts'
import { Nullable, OpenObject } from '../../../formats/schemas/nullable.ts'
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

/** A figure of the spans of a group. */
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
