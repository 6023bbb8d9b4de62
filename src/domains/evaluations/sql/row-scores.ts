import { jsonPointer } from '../../../lib/json-pointer.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'

const rowStateShape = rowShape({
  evaluation: 'text',
  digest: 'text',
  trials: 'integer',
  failed: 'integer',
  startedAt: 'integer',
})

/**
 * For each row of each evaluation the number of its trials, and of those that failed: with an
 * exception, or ended without output and scores, as a trial does whose model failed; and the start
 * of the first, in microseconds.
 */
export const rowStatesStatement = (table: string): Sql<RowOfShape<typeof rowStateShape>> => ({
  text: `SELECT evaluation, row_digest, count(*), count(*) FILTER (status = 'error' OR (ended_at IS NOT NULL AND
      outcome = '{"output":null}' AND scores = '{}')), epoch_us(min(started_at))
    FROM "${table}" GROUP BY ALL ORDER BY row_digest, evaluation`,
  values: [],
  shape: rowStateShape,
})

const rowScoreShape = rowShape({
  place: 'integer',
  evaluation: 'text',
  digest: 'text',
  mean: 'number',
  isTruth: 'integer',
})

/**
 * For each position in `paths`, evaluation and row the mean of the numbers of its trials, with true
 * as 1 and false as 0, and whether all of them are booleans. Rows without values are left out.
 */
export function rowScoresStatement(
  table: string,
  paths: readonly (readonly string[])[],
): Sql<RowOfShape<typeof rowScoreShape>> {
  const parameters = new Parameters()
  const pointers = parameters.bind({ texts: paths.map(jsonPointer) })
  return {
    text: `SELECT place, evaluation, row_digest, avg(number), bool_and(leaf IN ('true', 'false'))::INTEGER
      FROM (SELECT *, CASE leaf WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE TRY_CAST(leaf AS DOUBLE) END AS number
        FROM (SELECT unnest(json_extract(scores, ${pointers})::VARCHAR[]) AS leaf,
          unnest(range(${paths.length})) AS place, evaluation, row_digest FROM "${table}"))
      WHERE isfinite(number) GROUP BY ALL`,
    values: parameters.values,
    shape: rowScoreShape,
  }
}
