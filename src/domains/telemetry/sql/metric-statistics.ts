import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import type { CountableField } from '../../../query/catalog.ts'
import { lowerRows } from '../../../query/check/lower.ts'
import { fieldTextSql } from '../../../query/sql/field-text.ts'
import { sortColumns } from '../../../query/sql/order.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { rowsSql, scopeOf } from '../../../query/sql/rows.ts'
import { type Buckets, bucketMicrosSql } from '../../../query/sql/stats/time-buckets.ts'
import type { TablePlan } from '../../../query/table-plan.ts'

/** Columns of a data point from which statistics are computed. */
const columns = ['id', 'time', 'started_at', 'name', 'kind', 'unit', 'temporality', 'is_monotonic', 'series'] as const
const values = ['value', 'count', 'sum', 'min', 'max'] as const

/** Gauges, and cumulative sums that may decrease: the newest value counts, not the sum of all. */
const isLevel = `(kind = 'gauge' OR (kind = 'sum' AND temporality = 'cumulative' AND is_monotonic = 0))`
/** Summaries are cumulative without saying so. */
const isCumulative = `(temporality = 'cumulative' OR kind = 'summary')`

/**
 * One row per bucket, metric and group: start of the bucket in microseconds (null: of the whole
 * range), metric, unit, kind, JSON texts of the group's values, then points, sum, count, average,
 * minimum, maximum and last value.
 *
 * A cumulative value counts by how much it exceeds the previous one of its series. It counts whole
 * after a restart (a later start, or a smaller value), and if it is the first one of its series;
 * unless it does not say since when it counts. See
 * https://opentelemetry.io/docs/specs/otel/metrics/data-model/#resets-and-gaps
 *
 * @param groups fields by whose values the points are divided
 */
export function compileMetricStatistics(
  { projectId, where }: TablePlan,
  range: { readonly start: number; readonly end: number },
  buckets: Buckets,
  relation: Relation,
  groups: readonly CountableField[],
): Sql {
  const parameters = new Parameters()
  const start = parameters.bind({ micros: range.start })
  const wanted = [
    ...new Set([...columns, ...values, ...sortColumns(groups.map((field) => ({ field, direction: 'asc' })))]),
  ]
  const rows = rowsSql(lowerRows({ relation, projectId, where, columns: wanted }), parameters)
  const scope = scopeOf('p', { projectId }, parameters)
  // Bound only where it is used: DuckDB refuses values without a place.
  const charsMax = () => `${parameters.bind(BigInt(explorationLimits.valueCharsMax))}::BIGINT`
  const texts = groups.map((field, index) => `left(${fieldTextSql(field, scope)}, ${charsMax()}) AS g${index}`)
  const keys = ['name', 'unit', 'kind', 'is_level', ...groups.map((_, index) => `g${index}`)]
  const increase = (amount: string) => `CASE WHEN NOT ${isCumulative} THEN ${amount}
    WHEN before_id IS NULL THEN CASE WHEN started_at < "time" THEN ${amount} ELSE 0 END
    WHEN started_at > before_started_at OR progress < before_progress THEN ${amount}
    ELSE ${amount} - coalesce(before_${amount}, 0) END`
  return {
    text: `WITH p AS (
        SELECT p.*, ${isLevel} AS is_level, CASE kind WHEN 'sum' THEN value ELSE sum END AS amount,
          CASE kind WHEN 'sum' THEN value ELSE count END AS progress${texts.map((text) => `, ${text}`).join('')}
        FROM (${rows}) p WHERE ("time" >= ${start} OR ${isCumulative}) AND (value IS NOT NULL OR count IS NOT NULL)),
      q AS (
        SELECT *, lag(id) OVER s AS before_id, lag(started_at) OVER s AS before_started_at,
          lag(amount) OVER s AS before_amount, lag(count) OVER s AS before_count,
          lag(progress) OVER s AS before_progress
        FROM p WINDOW s AS (PARTITION BY series ORDER BY "time", id)),
      r AS (
        SELECT *, ${bucketMicrosSql('"time"', buckets, parameters)} AS bucket,
          ${increase('amount')} AS more, ${increase('count')} AS more_count
        FROM q WHERE "time" >= ${start})
      SELECT bucket, name, unit, kind${groups.map((_, index) => `, g${index}`).join('')}, count(*),
        CASE WHEN NOT is_level THEN sum(more) END,
        CASE WHEN kind NOT IN ('gauge', 'sum') THEN sum(more_count)::DOUBLE END,
        CASE WHEN is_level THEN avg(value)
          WHEN kind <> 'sum' AND sum(more_count) > 0 THEN sum(more) / sum(more_count) END,
        CASE WHEN is_level THEN min(value) ELSE min(min) FILTER (NOT ${isCumulative}) END,
        CASE WHEN is_level THEN max(value) ELSE max(max) FILTER (NOT ${isCumulative}) END,
        CASE WHEN is_level THEN arg_max(value, "time") END
      FROM r GROUP BY GROUPING SETS ((${keys.join(', ')}), (bucket, ${keys.join(', ')}))
      ORDER BY name, bucket NULLS FIRST, ${keys.slice(1).join(', ')}
      LIMIT ${parameters.bind(BigInt(telemetryLimits.metricStatsRowsMax + 1))}::BIGINT`,
    values: parameters.values,
  }
}
