import { refPrefixesOf } from '../../../formats/dialect/ref.ts'
import { jsonPointer } from '../../../lib/json-pointer.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import type { TrialScope } from '../plan/plan.ts'
import { trialUsageSql } from './token-sums.ts'
import { childColumns, childrenSql, datasetRowsSql, modelsSql, scoreKey, trialsSql } from './trials.ts'

const measureShape = rowShape({
  evaluation: 'text',
  digest: 'text',
  id: 'text',
  /** Of the model; null if it is unknown. */
  seconds: 'number?',
  usage: 'json?',
  /** Microseconds. */
  pricedAt: 'integer',
  exception: 'text?',
})

export type TrialMeasures = RowOfShape<typeof measureShape>

/**
 * What each trial took, and why it failed, oldest first.
 *
 * @param digests only trials of these rows
 */
export function measuresStatement(
  scope: TrialScope,
  models: ReadonlyMap<string, string>,
  digests?: readonly string[],
): Sql<TrialMeasures> {
  const parameters = new Parameters()
  const latency = ['/model_latency/mean', '/model_latency'].map(
    (pointer) => `TRY_CAST(json_extract(t."output", '${pointer}')::VARCHAR AS DOUBLE)`,
  )
  const items = [
    't."started_at"',
    `coalesce(${latency.join(', ')}) AS stated_seconds`,
    `json_extract(t."summary", '/usage')::VARCHAR AS usage`,
    't."exception"',
  ]
  const trials = trialsSql(scope, items, parameters)
  const isWanted =
    digests === undefined ? '' : ` WHERE list_contains(${parameters.bind({ texts: digests })}::VARCHAR[], row_digest)`
  return {
    text: `WITH trial AS MATERIALIZED (FROM (${trials})${isWanted}), ${modelsSql(models, parameters)},
      ${trialUsageSql(scope, models, parameters)}
      SELECT evaluation, row_digest, id, coalesce(nullif((epoch_us(found.ended_at) - epoch_us(found.started_at)) / 1e6,
          0), stated_seconds), CASE WHEN found IS NULL THEN trial.usage ELSE found.usage END,
        epoch_us(coalesce(found.started_at, started_at)), coalesce(exception, found.exception)
      FROM trial LEFT JOIN prediction ON trial_id = id ORDER BY started_at, id`,
    values: parameters.values,
    shape: measureShape,
  }
}

const exampleShape = rowShape({ digest: 'text', example: 'json?' })

/** The dataset rows as JSON text, with refs resolved: of all compared rows, or of some. */
export function examplesStatement(
  scope: TrialScope,
  digests: readonly string[] | undefined,
  path: readonly string[] = [],
): Sql<RowOfShape<typeof exampleShape>> {
  const parameters = new Parameters()
  const trials = trialsSql(scope, [`json_extract(t."inputs", '/example')::VARCHAR AS example`], parameters)
  const wanted =
    digests === undefined ? '' : ` WHERE list_contains(${parameters.bind({ texts: digests })}::VARCHAR[], row_digest)`
  const isOfProject = refPrefixesOf(scope.projectId).map(
    (prefix) => `starts_with(example, ${parameters.bind(`"${prefix}`)})`,
  )
  const row = `coalesce(CASE WHEN contains(example, '/attr/rows/id/') AND (${isOfProject.join(' OR ')}) THEN r.val END,
    example)`
  const value = path.length === 0 ? row : `json_extract(${row}, ${parameters.bind(jsonPointer(path))})::VARCHAR`
  return {
    text: `SELECT row_digest, ${value} FROM (SELECT row_digest, min(example) AS example FROM (${trials})${wanted}
      GROUP BY row_digest) t LEFT JOIN (SELECT digest, any_value(val) AS val FROM (${datasetRowsSql(scope, parameters)})
      GROUP BY digest) r ON r.digest = t.row_digest`,
    values: parameters.values,
    shape: exampleShape,
  }
}

const scorerShape = rowShape({ evaluation: 'text', name: 'text', scorer: 'text' })

/** The scorers whose calls are below the first trials of each evaluation, as refs. */
export function scorersStatement(scope: TrialScope, trialsOfEach: number): Sql<RowOfShape<typeof scorerShape>> {
  const parameters = new Parameters()
  const trials = trialsSql(scope, ['t."started_at"'], parameters)
  const children = childrenSql(scope, [...childColumns, 'inputs'], parameters)
  return {
    text: `WITH trial AS MATERIALIZED (FROM (${trials}) QUALIFY row_number() OVER (PARTITION BY evaluation
        ORDER BY started_at, id) <= ${trialsOfEach})
      SELECT DISTINCT evaluation, name, scorer FROM (SELECT trial.evaluation, ${scoreKey} AS name,
          coalesce(json_extract_string(c.inputs, '/self'), c.op_name) AS scorer
        FROM (${children}) c JOIN trial ON c.parent_id = trial.id)
      WHERE contains(scorer, ':///') ORDER BY ALL`,
    values: parameters.values,
    shape: scorerShape,
  }
}
