import { type Static, Type } from '@sinclair/typebox'
import { afterRow, QueryExpression, SortBy } from '../../../formats/schemas/calls.ts'
import {
  FreeObject,
  Nullable,
  NullableInteger,
  NullableText,
  NullableTime,
  OpenObject,
} from '../../../formats/schemas/members.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { Time, TimeText } from '../../../lib/time.ts'

export const MetricsQuery = OpenObject({
  project_id: ProjectId,
  query: Type.Optional(QueryExpression),
  fields: Nullable(
    Type.Array(Type.String(), {
      description: 'Columns, or paths such as `attributes.model`; all columns if omitted',
    }),
  ),
  sort_by: Nullable(Type.Array(SortBy)),
  limit: Nullable(Type.Integer({ description: 'Maximum number of data points; unlimited if omitted' })),
  offset: Nullable(Type.Integer({ description: 'Number of data points to skip' })),
  after: afterRow('time'),
})
export type MetricsQuery = Static<typeof MetricsQuery>

const NullableNumber = Type.Union([Type.Number(), Type.Null()])

/** A data point as a query returns it. */
export const FoundPoint = Type.Object({
  project_id: Type.String(),
  id: Type.String(),
  time: TimeText,
  started_at: NullableTime,
  name: Type.String(),
  kind: Type.String(),
  unit: Type.String(),
  description: Type.String(),
  temporality: NullableText,
  is_monotonic: NullableInteger,
  series: Type.String(),
  value: NullableNumber,
  count: NullableInteger,
  sum: NullableNumber,
  min: NullableNumber,
  max: NullableNumber,
  distribution: Type.Unknown(),
  exemplars: Type.Unknown(),
  service_name: NullableText,
  attributes: FreeObject,
  resource: FreeObject,
  scope: FreeObject,
  ext_user_id: Type.String(),
})

export const MetricStatsRequest = OpenObject({
  project_id: ProjectId,
  start: Time,
  end: Nullable(Time),
  granularity: Nullable(Type.Integer({ description: 'Bucket size in seconds; derived from the range if omitted' })),
  timezone: Nullable(Type.String({ default: 'UTC', description: 'IANA time zone that buckets are aligned to' })),
  metrics: Nullable(
    Type.Array(Type.String(), {
      maxItems: telemetryLimits.metricNamesMax,
      description: 'Names of metrics, such as `claude_code.cost.usage`; all metrics if omitted',
    }),
  ),
  query: Type.Optional(QueryExpression),
  group_by: Nullable(
    Type.Array(Type.String({ maxLength: explorationLimits.fieldPathCharsMax }), {
      maxItems: telemetryLimits.metricGroupFieldsMax,
      description: 'Paths of the fields to group by, such as `attributes.model`',
    }),
  ),
})
export type MetricStatsRequest = Static<typeof MetricStatsRequest>

const statistics = {
  metric: Type.String(),
  unit: Type.String(),
  kind: Type.String(),
  group: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Value of each field of `group_by`; null for data points without one',
  }),
  points: Type.Integer({ description: 'Number of data points' }),
  sum: Type.Union([Type.Number(), Type.Null()], {
    description:
      'Of sums: by how much they changed. Of histograms and summaries: the sum of the values. null for gauges, ' +
      'and for cumulative sums that may decrease',
  }),
  count: Type.Union([Type.Number(), Type.Null()], {
    description: 'Of histograms and summaries: the number of values; null otherwise',
  }),
  avg: Type.Union([Type.Number(), Type.Null()], {
    description: 'Of gauges: the mean of the data points. Of histograms and summaries: the mean of the values',
  }),
  min: NullableNumber,
  max: NullableNumber,
  last: Type.Union([Type.Number(), Type.Null()], {
    description: 'Of gauges, and of cumulative sums that may decrease: the value of the newest data point',
  }),
}

const MetricTotal = Type.Object(statistics)
const MetricBucket = Type.Object({ timestamp: TimeText, ...statistics })
export type MetricValues = Static<typeof MetricTotal>

export const MetricStats = Type.Object({
  start: TimeText,
  end: TimeText,
  granularity: Type.Integer(),
  timezone: Type.String(),
  totals: Type.Array(MetricTotal),
  buckets: Type.Array(MetricBucket),
})
export type MetricStats = Static<typeof MetricStats>
