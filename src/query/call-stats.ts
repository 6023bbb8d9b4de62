import type { Relation } from '../model/relation.ts'
import type { Sql } from '../model/sql.ts'
import { resolveField } from './catalog.ts'
import { all, type Expression } from './expression.ts'
import { lowerRows } from './lower.ts'
import { Parameters } from './sql/parameters.ts'
import { rowsSql } from './sql/rows.ts'
import { type Buckets, bucketSeriesSql, bucketSql } from './time-buckets.ts'

export interface CallStatsScope {
  readonly projectId: string
  readonly where: Expression
  /** Microseconds; `end` exclusive. */
  readonly start: number
  readonly end: number
}

/** Rows of bucket, whole milliseconds (null while the call runs), 1 for an error, usage as JSON text, start in microseconds. */
export function compileCallFigures(scope: CallStatsScope, buckets: Buckets, relation: Relation): Sql {
  const parameters = new Parameters()
  const within = {
    kind: 'within',
    field: resolveField('started_at'),
    after: scope.start - 1,
    through: scope.end - 1,
  } as const
  const columns = ['started_at', 'latency_ms', 'exception', 'summary']
  const wanted = { relation, projectId: scope.projectId, where: all([scope.where, within]), columns }
  const rows = rowsSql(lowerRows(wanted), parameters)
  return {
    text: `SELECT ${bucketSql('started_at', buckets, parameters)}, latency_ms,
      CASE WHEN coalesce(exception, '') = '' THEN 0 ELSE 1 END, json_extract(summary, '/usage')::VARCHAR, epoch_us(started_at)
      FROM (${rows})`,
    values: parameters.values,
  }
}

/** Starts of all buckets of a range, in order. */
export function compileBuckets(range: { start: number; end: number }, buckets: Buckets): Sql {
  const parameters = new Parameters()
  return { text: `${bucketSeriesSql(range, buckets, parameters)} ORDER BY bucket`, values: parameters.values }
}
