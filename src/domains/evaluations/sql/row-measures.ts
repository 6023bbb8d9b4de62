import { refPrefixesOf } from '../../../formats/dialect/ref.ts'
import { jsonPointer } from '../../../lib/json-pointer.ts'
import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'
import type { TrialScope } from '../plan/plan.ts'
import { trialUsageSql } from './token-sums.ts'
import { childColumns, childrenSql, datasetRowsSql, modelsSql, scoreKey, trialsSql } from './trials.ts'

const measureShape = rowShape({
  slot: 'integer',
  /** Of the model; null if it is unknown. */
  seconds: 'number?',
  usage: 'json?',
  /** Microseconds. */
  pricedAt: 'integer',
  /** The call whose exception says why the trial failed. */
  failedCall: 'text?',
})

/**
 * What each trial took, oldest first, with the slot of its row.
 *
 * @param tables of the trials, with their measures, and of their rows
 */
export function measuresStatement(
  scope: TrialScope,
  models: ReadonlyMap<string, string>,
  { trials, rows }: { readonly trials: string; readonly rows: string },
): Sql<RowOfShape<typeof measureShape>> {
  const parameters = new Parameters()
  return {
    text: `WITH trial AS (FROM "${trials}"), ${modelsSql(models, parameters)},
      ${trialUsageSql(scope, models, parameters)}
      SELECT slot, coalesce(nullif((epoch_us(found.ended_at) - epoch_us(found.started_at)) / 1e6, 0), stated_seconds),
        CASE WHEN found IS NULL THEN trial.usage ELSE found.usage END,
        epoch_us(coalesce(found.started_at, trial.started_at)), CASE WHEN has_failed THEN id ELSE found.failed_id END
      FROM trial JOIN "${rows}" USING (evaluation, row_digest) LEFT JOIN prediction ON trial_id = id
      ORDER BY trial.started_at, id`,
    values: parameters.values,
    shape: measureShape,
  }
}

const failureShape = rowShape({ id: 'text', exception: 'text?' })

/** Why calls failed. @param calls branches that may hold them */
export function failuresStatement(
  { calls, projectId }: { readonly calls: Relation; readonly projectId: string },
  ids: readonly string[],
): Sql<RowOfShape<typeof failureShape>> {
  const parameters = new Parameters()
  const text = callsByIdSql({ calls, projectId }, ids, ['t."exception"'], parameters)
  return { text, values: parameters.values, shape: failureShape }
}

const inputShape = rowShape({ id: 'text', example: 'json?' })

/** The dataset rows of trials as JSON text; refs are not resolved. */
export function inputsStatement(
  { calls, projectId }: { readonly calls: Relation; readonly projectId: string },
  ids: readonly string[],
): Sql<RowOfShape<typeof inputShape>> {
  const parameters = new Parameters()
  const example = `json_extract(t."inputs", '/example')::VARCHAR`
  const text = callsByIdSql({ calls, projectId }, ids, [example], parameters)
  return { text, values: parameters.values, shape: inputShape }
}

const callsByIdSql = (
  { calls, projectId }: { readonly calls: Relation; readonly projectId: string },
  ids: readonly string[],
  items: readonly string[],
  parameters: Parameters,
): string =>
  tableRowsSql(
    { relation: calls, projectId },
    ['t."id"', ...items],
    [`t."id" IN (${ids.map((id) => parameters.bind(id)).join(', ') || 'NULL'})`],
    parameters,
  )

const datasetRowShape = rowShape({ digest: 'text', val: 'json' })

/** Rows of datasets. @param datasetRows branches that may hold them */
export function datasetRowsStatement(
  { datasetRows, projectId }: { readonly datasetRows: Relation; readonly projectId: string },
  digests: readonly string[],
): Sql<RowOfShape<typeof datasetRowShape>> {
  const parameters = new Parameters()
  const text = tableRowsSql(
    { relation: datasetRows, projectId },
    ['t."digest"', 't."val"'],
    [`t."digest" IN (${digests.map((digest) => parameters.bind(digest)).join(', ') || 'NULL'})`],
    parameters,
  )
  return { text, values: parameters.values, shape: datasetRowShape }
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

/**
 * The scorers whose calls are below some trials, as refs.
 *
 * @param trials with their evaluations
 */
export function scorersStatement(
  scope: Pick<TrialScope, 'projectId' | 'children'>,
  trials: readonly { readonly id: string; readonly evaluation: string }[],
): Sql<RowOfShape<typeof scorerShape>> {
  const parameters = new Parameters()
  const children = childrenSql(scope, [...childColumns, 'inputs'], parameters)
  const ids = parameters.bind({ texts: trials.map(({ id }) => id) })
  const evaluations = parameters.bind({ texts: trials.map(({ evaluation }) => evaluation) })
  return {
    text: `WITH trial AS (SELECT unnest(${ids}::VARCHAR[]) AS id, unnest(${evaluations}::VARCHAR[]) AS evaluation)
      SELECT DISTINCT evaluation, name, scorer FROM (SELECT trial.evaluation, ${scoreKey} AS name,
          coalesce(json_extract_string(c.inputs, '/self'), c.op_name) AS scorer
        FROM (${children}) c JOIN trial ON c.parent_id = trial.id)
      WHERE contains(scorer, ':///') ORDER BY ALL`,
    values: parameters.values,
    shape: scorerShape,
  }
}
