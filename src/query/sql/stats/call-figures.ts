import type { Relation } from '../../../kernel/relation.ts'
import type { Sql } from '../../../kernel/sql.ts'
import type { CallMetric, Figure } from '../../../model/call-stats.ts'
import { columnField } from '../../catalog.ts'
import { all, type Expression } from '../../expression.ts'
import { lowerRows } from '../../lower.ts'
import { Parameters } from '../parameters.ts'
import { rowsSql } from '../rows.ts'
import { figuresSql } from './figures.ts'
import { type Buckets, bucketMicrosSql, bucketSeriesSql } from './time-buckets.ts'

export interface CallStatsScope {
  readonly projectId: string
  readonly where: Expression
  /** Microseconds; `end` exclusive. */
  readonly start: number
  readonly end: number
}

/** Aggregates requested of a metric. */
export interface MetricFigures<Metric extends string> {
  readonly metric: Metric
  readonly figures: readonly Figure[]
}

/** Metrics of a call; the latency of a running call is null. */
const callMetricSql: Readonly<Record<CallMetric, string>> = {
  latency_ms: 'latency_ms',
  call_count: '1',
  error_count: `(CASE WHEN status = 'error' THEN 1 ELSE 0 END)`,
}

/**
 * One row per bucket with calls: its start in microseconds, the number of calls, then the figures
 * in order.
 */
export function compileCallFigures(
  scope: CallStatsScope,
  buckets: Buckets,
  relation: Relation,
  metrics: readonly MetricFigures<CallMetric>[],
): Sql {
  const parameters = new Parameters()
  const rows = scopeRowsSql(scope, relation, ['started_at', 'latency_ms', 'status'], parameters)
  const bucket = bucketMicrosSql('started_at', buckets, parameters)
  const figures = metrics.flatMap(({ metric, figures }) => figuresSql(callMetricSql[metric], figures, parameters))
  return {
    text: `SELECT ${[`${bucket} AS bucket`, 'count(*)', ...figures].join(', ')} FROM (${rows}) GROUP BY bucket`,
    values: parameters.values,
  }
}

/** Rows of a bucket (microseconds), usage as JSON text, and start in microseconds. */
export function compileUsageTexts(scope: CallStatsScope, buckets: Buckets, relation: Relation): Sql {
  const parameters = new Parameters()
  const rows = scopeRowsSql(scope, relation, ['started_at', 'summary'], parameters)
  const bucket = bucketMicrosSql('started_at', buckets, parameters)
  return {
    text: `SELECT ${bucket}, json_extract(summary, '/usage')::VARCHAR, epoch_us(started_at) FROM (${rows})`,
    values: parameters.values,
  }
}

/** The starts of all buckets of a range, in order. */
export function compileBuckets(range: { start: number; end: number }, buckets: Buckets): Sql {
  const parameters = new Parameters()
  return { text: `${bucketSeriesSql(range, buckets, parameters)} ORDER BY bucket`, values: parameters.values }
}

/** SELECT of columns of the calls in a scope. */
export function scopeRowsSql(
  { projectId, where, start, end }: CallStatsScope,
  relation: Relation,
  columns: readonly string[],
  parameters: Parameters,
): string {
  const within = {
    kind: 'within',
    field: columnField('started_at', 'time'),
    after: start - 1,
    through: end - 1,
  } as const
  return rowsSql(lowerRows({ relation, projectId, where: all([where, within]), columns }), parameters)
}
