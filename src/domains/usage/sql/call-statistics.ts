import { assertNever } from '../../../lib/errors.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { justBefore } from '../../../lib/time.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { startedWithin } from '../../../query/calls-plan.ts'
import type { CountableField } from '../../../query/catalog.ts'
import { lowerRows, type RowsWanted } from '../../../query/check/lower.ts'
import { all, type Expression } from '../../../query/expression.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { rowsSql } from '../../../query/sql/rows.ts'
import { type Buckets, bucketMicrosSql } from '../../../query/sql/stats/time-buckets.ts'
import { countingColumns, countsUsageSql } from '../../../query/sql/usage-prices.ts'
import type { CallMetric, Statistic } from '../model/call-stats.ts'

/**
 * SQL of aggregates over `value` per group, as DOUBLE. Without values, sums, averages and counts
 * are 0 and the others null.
 */
export function statisticsSql(value: string, statistics: readonly Statistic[], parameters: Parameters): string[] {
  // All percentiles in one identical call, so that DuckDB keeps and sorts the values once.
  const shares = statistics.flatMap(({ of }) => (typeof of === 'number' ? [parameters.bind(of / 100)] : []))
  const percentiles = `quantile_cont(${value}, [${shares.map((share) => `${share}::DOUBLE`).join(', ')}])`
  let percentile = 0
  return statistics.map(({ of }) => {
    if (typeof of === 'number') return `${percentiles}[${++percentile}]::DOUBLE`
    switch (of) {
      case 'sum':
        return `coalesce(sum(${value}), 0)::DOUBLE`
      case 'avg':
        return `coalesce(avg(${value}), 0)::DOUBLE`
      case 'min':
        return `min(${value})::DOUBLE`
      case 'max':
        return `max(${value})::DOUBLE`
      case 'count':
        return `count(${value})::DOUBLE`
      case 'count_true':
        return `(count(*) FILTER (${value} <> 0))::DOUBLE`
      case 'count_false':
        return `(count(*) FILTER (${value} = 0))::DOUBLE`
      default:
        return assertNever(of)
    }
  })
}

export interface CallStatsScope extends Pick<RowsWanted, 'feedback' | 'queues' | 'usage'> {
  readonly projectId: string
  readonly where: Expression
  /** Microseconds; `end` exclusive. */
  readonly start: number
  readonly end: number
}

/** Aggregates requested of a metric. */
export interface MetricStatistics<Metric extends string> {
  readonly metric: Metric
  readonly statistics: readonly Statistic[]
}

/** Metrics of a call; the latency of a running call is null. */
export const callMetricSql: Readonly<Record<CallMetric, string>> = {
  latency_ms: 'latency_ms',
  call_count: '1',
  error_count: `(CASE WHEN status = 'error' THEN 1 ELSE 0 END)`,
}

/** Groups into which calls are divided by a field. */
export interface CallGroups {
  readonly field: CountableField
  /** JSON texts of the values of the groups that are listed. */
  readonly texts: readonly string[]
}

/** Place of calls without a value, and of those in groups that are not listed. */
export const noGroup = -1
export const otherGroup = -2

export const groupShape = rowShape({ value: 'text' })

/** A value by which calls are grouped, as JSON text. */
export type GroupValue = RowOfShape<typeof groupShape>

/** The most frequent values of a field, as JSON texts. */
export function compileTopGroups(
  scope: CallStatsScope,
  relation: Relation,
  field: CountableField,
  limit: number,
): Sql<GroupValue> {
  const parameters = new Parameters()
  const rows = scopeRowsSql(scope, relation, [], parameters, field)
  const value = groupTextSql(field, parameters)
  return {
    text: `SELECT value FROM (SELECT ${value} AS value FROM (${rows}) g) WHERE value IS NOT NULL
      GROUP BY value ORDER BY count(*) DESC, value LIMIT ${parameters.bind(BigInt(limit))}::BIGINT`,
    values: parameters.values,
    shape: groupShape,
  }
}

/**
 * SQL of the place of a row `g` of `scopeRowsSql` among the groups, or one of the special places; 0
 * without groups.
 */
export function groupPlaceSql(groups: CallGroups | undefined, parameters: Parameters): string {
  if (groups === undefined) return '0'
  const texts = parameters.bind({ texts: groups.texts })
  const value = groupTextSql(groups.field, parameters)
  // The value occurs once, because DuckDB would parse JSON once per mention.
  return `list_transform([${value}], lambda v: CASE WHEN v IS NULL THEN ${noGroup}
    ELSE coalesce(list_position(${texts}, v) - 1, ${otherGroup}) END)[1]`
}

/** JSON text of the value of a row `g`, cut to a bounded length; `1.0` counts as `1`. */
export function groupTextSql(field: CountableField, parameters: Parameters): string {
  const text = `left(g.group_value, ${parameters.bind(BigInt(explorationLimits.valueCharsMax))}::BIGINT)`
  return field.kind === 'json' ? `regexp_replace(${text}, '^(-?[0-9]+)[.]0$', '\\1')` : text
}

/**
 * One row per bucket and group with calls: the start of the bucket in microseconds, the place of
 * the group, the number of calls, then the statistics in order.
 */
export function compileCallStatistics(
  scope: CallStatsScope,
  buckets: Buckets,
  relation: Relation,
  metrics: readonly MetricStatistics<CallMetric>[],
  groups?: CallGroups,
): Sql {
  const parameters = new Parameters()
  const rows = scopeRowsSql(scope, relation, ['started_at', 'latency_ms', 'status'], parameters, groups?.field)
  const place = groupPlaceSql(groups, parameters)
  const bucket = bucketMicrosSql('started_at', buckets, parameters)
  const statistics = metrics.flatMap(({ metric, statistics }) =>
    statisticsSql(callMetricSql[metric], statistics, parameters),
  )
  return {
    text: `SELECT ${['bucket', 'place', 'count(*)', ...statistics].join(', ')}
      FROM (SELECT *, ${bucket} AS bucket, ${place} AS place FROM (${rows}) g) GROUP BY bucket, place`,
    values: parameters.values,
  }
}

export const latencyBoundsShape = rowShape({ low: 'number?', high: 'number?', calls: 'integer' })
export type LatencyBounds = RowOfShape<typeof latencyBoundsShape>

/** One row: the smallest and the largest latency, and the number of calls that have one. */
export function compileLatencyBounds(scope: CallStatsScope, relation: Relation): Sql<LatencyBounds> {
  const parameters = new Parameters()
  const rows = scopeRowsSql(scope, relation, ['latency_ms'], parameters)
  return {
    text: `SELECT min(latency_ms), max(latency_ms), count(latency_ms) FROM (${rows})`,
    values: parameters.values,
    shape: latencyBoundsShape,
  }
}

export const latencyRangeShape = rowShape({ bucket: 'integer', range: 'integer', calls: 'integer' })
export type LatencyRange = RowOfShape<typeof latencyRangeShape>

/**
 * One row per bucket and range with calls: the start of the bucket in microseconds, the number of
 * the range, and the calls. A range is from one of the bounds to below the next.
 */
export function compileLatencyRanges(
  scope: CallStatsScope,
  buckets: Buckets,
  relation: Relation,
  bounds: readonly number[],
): Sql<LatencyRange> {
  const parameters = new Parameters()
  const rows = scopeRowsSql(scope, relation, ['started_at', 'latency_ms'], parameters)
  const bucket = bucketMicrosSql('started_at', buckets, parameters)
  const inner = bounds.slice(1, -1).map((bound) => `(latency_ms >= ${parameters.bind(bound)})::INTEGER`)
  return {
    text: `SELECT ${bucket} AS bucket, ${['0', ...inner].join(' + ')} AS place, count(*) FROM (${rows})
      WHERE latency_ms IS NOT NULL GROUP BY bucket, place`,
    values: parameters.values,
    shape: latencyRangeShape,
  }
}

const usageTextShape = rowShape({ bucket: 'integer', usage: 'json?', startedAt: 'integer', place: 'integer' })

export type UsageText = RowOfShape<typeof usageTextShape>

/**
 * Rows of a bucket (microseconds), usage that counts as JSON text, start in microseconds, and the
 * place of the group.
 */
export function compileUsageTexts(
  scope: CallStatsScope,
  buckets: Buckets,
  relation: Relation,
  groups?: CallGroups,
): Sql<UsageText> {
  const parameters = new Parameters()
  const columns = ['started_at', 'summary', ...countingColumns]
  const rows = scopeRowsSql(scope, relation, columns, parameters, groups?.field)
  const place = groupPlaceSql(groups, parameters)
  const bucket = bucketMicrosSql('started_at', buckets, parameters)
  return {
    text: `SELECT ${bucket}, json_extract(summary, '/usage')::VARCHAR, epoch_us(started_at), ${place}
      FROM (${rows}) g WHERE ${countsUsageSql}`,
    values: parameters.values,
    shape: usageTextShape,
  }
}

/** SELECT of columns of the calls in a scope, and of the value they are grouped by as JSON text. */
export function scopeRowsSql(
  { projectId, where, feedback, queues, usage, start, end }: CallStatsScope,
  relation: Relation,
  columns: readonly string[],
  parameters: Parameters,
  groupField?: CountableField,
): string {
  const values = groupField && [{ name: 'group_value', field: groupField }]
  const within = startedWithin({ after: justBefore(start), through: justBefore(end) })
  const rows = { relation, projectId, feedback, queues, usage, where: all([where, within]), columns, values }
  return rowsSql(lowerRows(rows), parameters)
}
