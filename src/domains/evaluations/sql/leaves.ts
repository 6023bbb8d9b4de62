import { jsonPointer } from '../../../lib/json-pointer.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import type { KeptTrials, TrialScope } from '../plan/plan.ts'
import { scoredTrialsSql } from './scored-trials.ts'

/** JSON texts of the kept trials that the statements of this file read. */
export type LeafSource = 'scores' | 'outcome'

/** The trials with all of their scores, for the statements below. */
export function keptTrialsStatement(
  scope: TrialScope,
  trials: KeptTrials,
  {
    models,
    requireIntersection,
  }: { readonly models: ReadonlyMap<string, string>; readonly requireIntersection: boolean },
): Sql {
  const parameters = new Parameters()
  const scored = scoredTrialsSql(scope, trials, models, parameters)
  const shared = `row_digest IN (SELECT row_digest FROM scored GROUP BY row_digest HAVING count(DISTINCT
    evaluation) = ${scope.evaluationIds.length})`
  return {
    text: `WITH ${scored} FROM scored${requireIntersection ? ` WHERE ${shared}` : ''}`,
    values: parameters.values,
  }
}

const trialCountShape = rowShape({ evaluation: 'text?', count: 'integer' })

/**
 * Rows of an evaluation and the number of its trials. The first row has null and the number of
 * distinct rows.
 */
export const trialCountsStatement = (table: string): Sql<RowOfShape<typeof trialCountShape>> => ({
  text: `SELECT NULL, count(DISTINCT row_digest) FROM "${table}" UNION ALL (SELECT evaluation, count(*) FROM
    "${table}" GROUP BY evaluation)`,
  values: [],
  shape: trialCountShape,
})

const keyShape = rowShape({ place: 'integer', key: 'text' })

/**
 * Rows of a position in `paths` (from 0) and a key: the members of the objects at those paths in
 * any trial.
 */
export function keysStatement(
  table: string,
  source: LeafSource,
  paths: readonly (readonly string[])[],
): Sql<RowOfShape<typeof keyShape>> {
  const parameters = new Parameters()
  const pointers = parameters.bind({ texts: paths.map(jsonPointer) })
  return {
    text: `SELECT DISTINCT place, unnest(keys) AS key FROM (
      SELECT unnest(json_keys(${source}, ${pointers})) AS keys, unnest(range(${paths.length})) AS place FROM "${table}")
      ORDER BY place, key`,
    values: parameters.values,
    shape: keyShape,
  }
}

const leafShape = rowShape({
  place: 'integer',
  evaluation: 'text',
  numberCount: 'integer',
  numberSum: 'number',
  trueCount: 'integer',
  truthCount: 'integer',
  textCount: 'integer',
})

/**
 * Rows of a position in `paths`, an evaluation, the count and sum of its numbers, and the counts of
 * true, of booleans and of texts. Rows without values are left out.
 */
export function leafStatisticsStatement(
  table: string,
  source: LeafSource,
  paths: readonly (readonly string[])[],
): Sql<RowOfShape<typeof leafShape>> {
  const parameters = new Parameters()
  const pointers = parameters.bind({ texts: paths.map(jsonPointer) })
  return {
    text: `SELECT place, evaluation, count(number), coalesce(sum(number), 0), count(*) FILTER (leaf = 'true'),
        count(*) FILTER (leaf IN ('true', 'false')), count(*) FILTER (starts_with(leaf, '"'))
      FROM (SELECT place, evaluation, leaf, TRY_CAST(leaf AS DOUBLE) AS number FROM (
        SELECT unnest(json_extract(${source}, ${pointers})::VARCHAR[]) AS leaf,
          unnest(range(${paths.length})) AS place, evaluation FROM "${table}"))
      WHERE number IS NOT NULL OR leaf IN ('true', 'false') OR starts_with(leaf, '"')
      GROUP BY place, evaluation ORDER BY place, evaluation`,
    values: parameters.values,
    shape: leafShape,
  }
}
