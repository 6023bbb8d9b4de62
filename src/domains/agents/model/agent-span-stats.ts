import { type Static, Type } from '@sinclair/typebox'
import { QueryExpression } from '../../../formats/schemas/calls.ts'
import { Nullable, NullableText, OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { Time, TimeText } from '../../../lib/time.ts'
import { Aggregation, Alias, GroupRef, oneOf, SpanValueRef, spanFilters, ValueType } from './agent-filters.ts'

const Metric = OpenObject({
  alias: Alias,
  value: SpanValueRef,
  value_type: ValueType,
  aggregations: Nullable(Type.Array(Aggregation)),
  percentiles: Nullable(Type.Array(Type.Number({ minimum: 0, maximum: 100 }))),
})
export type SpanMetric = Static<typeof Metric>

export const SpanStatsRequest = OpenObject({
  project_id: ProjectId,
  start: Time,
  end: Nullable(Time),
  granularity: Nullable(Type.Integer({ minimum: 1, description: 'Seconds per bucket' })),
  timezone: Type.Optional(Type.String({ default: 'UTC', description: 'Only `UTC`' })),
  query: Nullable(QueryExpression),
  group_by: Nullable(Type.Array(GroupRef, { maxItems: 8 })),
  group_limit: Nullable(Type.Integer({ minimum: 1, maximum: operationLimits.statsGroupsMax })),
  metrics: Type.Array(Metric, { minItems: 1, maxItems: 32 }),
  bucket_by: Nullable(OpenObject({ type: Type.Optional(Type.Literal('time')) })),
  ...spanFilters,
})
export type SpanStatsRequest = Static<typeof SpanStatsRequest>

const StatsColumn = Type.Object({
  name: Type.String(),
  role: oneOf(['time', 'group', 'metric']),
  value_type: ValueType,
  metric: NullableText,
  aggregation: NullableText,
})
export type StatsColumn = Static<typeof StatsColumn>

export const SpanStats = Type.Object({
  start: TimeText,
  end: TimeText,
  granularity: Type.Integer(),
  timezone: Type.String(),
  bucket_type: Type.Literal('time'),
  columns: Type.Array(StatsColumn),
  rows: Type.Array(
    Type.Unsafe<Record<string, string | number | boolean | null>>(Type.Object({}, { additionalProperties: true })),
  ),
})
export type SpanStats = Static<typeof SpanStats>
