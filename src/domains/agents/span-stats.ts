import { DomainError } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { formatTime } from '../../lib/time.ts'
import { checkAnswerSize, type TimeRange } from '../records/index.ts'
import type { AgentSpan } from './agent-span.ts'
import { Aggregate } from './group-measures.ts'
import type { SpanMetric, SpanStats, SpanStatsRequest, StatsColumn } from './model/agent-span-stats.ts'
import { type GroupKey, type GroupOfSpans, grouped, groupKeysOf, noField } from './span-groups.ts'
import { measureOf, type Scalar } from './span-values.ts'

interface Statistic {
  readonly column: StatsColumn
  readonly of: (aggregate: Aggregate) => Scalar
}

interface Measured {
  readonly read: (span: AgentSpan) => Scalar
  readonly statistics: readonly Statistic[]
}

/** Statistics of spans by time and group. @throws DomainError InvalidField, InvalidRequest */
export function spanStats(spans: readonly AgentSpan[], request: SpanStatsRequest, range: TimeRange): SpanStats {
  if (range.timezone !== 'UTC') throw new DomainError('InvalidRequest', '`timezone` must be UTC here')
  const keys = groupKeysOf(request.group_by ?? [])
  const metrics = request.metrics.map(measured)
  const statistics = metrics.flatMap((metric) => metric.statistics)
  const groups: readonly GroupOfSpans[] =
    keys.length === 0 ? [{ keys: [], spans: [...spans] }] : largest(grouped(spans, keys), request)
  const starts = bucketStarts(range)
  checkAnswerSize(starts.length, statistics.length, groups.length)
  return {
    start: formatTime(range.start),
    end: formatTime(range.end),
    granularity: range.granularitySeconds,
    timezone: range.timezone,
    bucket_type: 'time',
    columns: [
      column('timestamp', 'time', 'datetime'),
      ...keys.map(groupColumn),
      ...statistics.map((one) => one.column),
    ],
    rows: starts.flatMap((start) => groups.map((group) => rowOf(start, range, group, metrics))),
  }
}

function largest(groups: readonly GroupOfSpans[], { group_limit }: SpanStatsRequest): GroupOfSpans[] {
  const order = groups.toSorted((a, b) => b.spans.length - a.spans.length)
  return order.slice(0, group_limit ?? operationLimits.statsGroupsDefault)
}

/** Starts of the buckets in microseconds, aligned with the epoch. */
function bucketStarts({ start, end, granularitySeconds }: TimeRange): number[] {
  const size = granularitySeconds * 1e6
  const starts: number[] = []
  for (let at = Math.floor(start / size) * size; at < end; at += size) starts.push(at)
  return starts
}

function rowOf(
  start: number,
  { granularitySeconds }: TimeRange,
  group: GroupOfSpans,
  metrics: readonly Measured[],
): Record<string, Scalar> {
  const end = start + granularitySeconds * 1e6
  const inside = group.spans.filter(({ startedAt }) => startedAt >= start && startedAt < end)
  const row: Record<string, Scalar> = { timestamp: formatTime(start) }
  for (const [alias, value] of group.keys) row[alias] = value
  for (const { read, statistics } of metrics) {
    const aggregate = new Aggregate()
    for (const span of inside) aggregate.add(read(span))
    for (const { column, of } of statistics) row[column.name] = of(aggregate)
  }
  return row
}

function measured({ alias, value, value_type, aggregations, percentiles }: SpanMetric): Measured {
  const read = measureOf(value)
  if (read === undefined) throw noField('Measure', value.key)
  const isBare = !aggregations?.length && !percentiles?.length
  const requested = isBare ? [value_type === 'number' ? ('sum' as const) : ('count' as const)] : (aggregations ?? [])
  const statistics = [
    ...requested.map(
      (aggregation): Statistic => ({
        column: metricColumn(
          alias,
          aggregation,
          aggregation === 'min' || aggregation === 'max' ? value_type : 'number',
        ),
        of: (aggregate) => aggregate.statistic(aggregation, false),
      }),
    ),
    ...(percentiles ?? []).map(
      (percent): Statistic => ({
        column: metricColumn(alias, `p${String(percent).replace('.', '_')}`, 'number'),
        of: (aggregate) => aggregate.percentile(percent),
      }),
    ),
  ]
  return { read, statistics }
}

const column = (name: string, role: StatsColumn['role'], value_type: StatsColumn['value_type']): StatsColumn => ({
  name,
  role,
  value_type,
  metric: null,
  aggregation: null,
})

const groupColumn = ({ alias }: GroupKey): StatsColumn => column(alias, 'group', 'string')

const metricColumn = (metric: string, aggregation: string, type: StatsColumn['value_type']): StatsColumn => ({
  ...column(`${aggregation}_${metric}`, 'metric', type),
  metric,
  aggregation,
})
