import { jsonPointer } from '../../../lib/json-pointer.ts'
import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { type Buckets, bucketMicrosSql } from '../../../query/sql/stats/time-buckets.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'
import type { Statistic } from '../model/call-stats.ts'
import { type CallGroups, type CallStatsScope, groupPlaceSql, scopeRowsSql, statisticsSql } from './call-statistics.ts'

/** Which values of feedback are scores. */
export interface ScoreSource {
  readonly path: readonly string[]
  /** Undefined means any. */
  readonly feedbackType: string | undefined
  readonly feedback: Relation
}

/**
 * One row per bucket and group with scored calls: the start of the bucket in microseconds, the
 * place of the group, the number of scores, then the statistics in order.
 */
export function compileScoreStatistics(
  scope: CallStatsScope,
  buckets: Buckets,
  relation: Relation,
  source: ScoreSource,
  statistics: readonly Statistic[],
  groups?: CallGroups,
): Sql {
  const parameters = new Parameters()
  const rows = scopeRowsSql(scope, relation, ['id', 'started_at'], parameters, groups?.field)
  const place = groupPlaceSql(groups, parameters)
  const bucket = bucketMicrosSql('started_at', buckets, parameters)
  const calls = `SELECT id, ${bucket} AS bucket, ${place} AS place FROM (${rows}) g`
  const scores = scoresSql(scope.projectId, source, parameters)
  const aggregates = statisticsSql('value', statistics, parameters)
  return {
    text: `SELECT ${['bucket', 'place', 'count(*)', ...aggregates].join(', ')}
      FROM (${calls}) c JOIN (${scores}) s ON s.call_id = c.id WHERE value IS NOT NULL GROUP BY bucket, place`,
    values: parameters.values,
  }
}

/** SELECT of `call_id` and `value`: finite numbers as they are, true and false as 1 and 0. */
function scoresSql(projectId: string, { path, feedbackType, feedback }: ScoreSource, parameters: Parameters): string {
  const rows = tableRowsSql(
    { relation: feedback, projectId },
    ['t.call_id', `json_extract(t.payload, ${parameters.bind(jsonPointer(path))}) AS score`],
    [
      't.call_id IS NOT NULL',
      ...(feedbackType === undefined ? [] : [`t.feedback_type = ${parameters.bind(feedbackType)}`]),
    ],
    parameters,
  )
  const number = `TRY_CAST(score ->> '$' AS DOUBLE)`
  return `SELECT call_id, CASE
      WHEN json_type(score) = 'BOOLEAN' THEN (score ->> '$' = 'true')::INTEGER::DOUBLE
      WHEN json_type(score) IN ('BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE') AND isfinite(${number}) THEN ${number}
    END AS value FROM (${rows})`
}
