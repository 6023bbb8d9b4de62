import { opRefStart } from '../../../formats/dialect/ref.ts'
import { jsonAtSql } from '../../../query/sql/json-value.ts'
import type { Parameters } from '../../../query/sql/parameters.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'
import type { TrialScope, TrialValue } from '../plan/plan.ts'

/**
 * The value of a trial `t` at a path inside its row, output or scores, as JSON text; null if it is
 * missing or JSON null.
 */
export function trialValueSql({ source, path }: TrialValue, parameters: Parameters): string {
  const [column, first] = source === 'inputs' ? ['inputs', 'example'] : ['output', source]
  return jsonValueSql(`t."${column}"`, [first, ...path], parameters)
}

/** The same inside any JSON. */
export const jsonValueSql = (json: string, path: readonly string[], parameters: Parameters): string =>
  `nullif(${jsonAtSql(json, path, parameters)}::VARCHAR, 'null')`

/**
 * A list of texts for SQL's `IN`, each a parameter; NULL, which equals nothing, for an empty list.
 */
const textsSql = (texts: readonly string[], parameters: Parameters): string =>
  texts.length === 0 ? 'NULL' : texts.map((text) => parameters.bind(text)).join(', ')

/** SELECT of `id`, `evaluation`, `row_digest` and `items` (SQL over alias `t`) for every trial. */
export const trialsSql = (scope: TrialScope, items: readonly string[], parameters: Parameters): string =>
  tableRowsSql(
    { relation: scope.trials, projectId: scope.projectId },
    ['t."id"', 't."parent_id" AS evaluation', 't."row_digest"', ...items],
    [`t."parent_id" IN (${textsSql(scope.evaluationIds, parameters)})`, 't."row_digest" IS NOT NULL'],
    parameters,
  )

/**
 * SELECT of `columns` for every call that has a parent and is not a trial, to be joined with
 * trials. It does not check that they belong to the traces of the evaluations: that would cost more
 * than it saves.
 */
export const childrenSql = (
  scope: Pick<TrialScope, 'projectId' | 'children'>,
  columns: readonly string[],
  parameters: Parameters,
): string =>
  tableRowsSql(
    { relation: scope.children, projectId: scope.projectId },
    columns.map((name) => `t."${name}"`),
    ['t."row_digest" IS NULL', 't."parent_id" IS NOT NULL'],
    parameters,
  )

/** Columns that distinguish predictions from scores. */
export const childColumns = ['id', 'parent_id', 'op_name', 'input_refs', 'started_at', 'ended_at']

/** The name inside the op ref of a child `c`, verbatim; empty if it is not a ref. */
const nameInRef = `regexp_extract(c.op_name, '${opRefStart}', 1)`

/**
 * The same, decoded, or the op name itself. A name that only looks percent-encoded stays as it is.
 */
const shortName = `coalesce(nullif(CASE WHEN contains(c.op_name, '%') THEN
  coalesce(TRY(url_decode(${nameInRef})), ${nameInRef})
  ELSE ${nameInRef} END, ''), c.op_name)`

/** The name under which a child `c` would count as a score. */
export const scoreKey = `regexp_replace(${shortName}, '[.]score$', '')`

const isNamedScore = `regexp_matches(c.op_name, '[.]score(:|$)')`

/**
 * Whether a child `c` is the prediction of its trial: it is the model itself, received it as an
 * input, or has such a name. `model` is SQL of the ref of the evaluation's model.
 */
export const isPrediction = (model: string): string =>
  `(NOT ${isNamedScore} AND (coalesce(c.op_name = ${model} OR list_contains(c.input_refs, ${model}), false)
    OR regexp_matches(lower(${shortName}), 'predict|invoke')))`

/**
 * Whether a call may be a prediction of any evaluation; false for most scores. Far cheaper than
 * `isPrediction` and independent of trials: of millions of children, few remain to be joined.
 */
export function mayBePredictionSql(alias: string, models: ReadonlyMap<string, string>, parameters: Parameters): string {
  const refs = parameters.bind({ texts: [...models.values()] })
  const name = `lower(${alias}.op_name)`
  return `(contains(${name}, 'predict') OR contains(${name}, 'invoke') OR list_contains(${refs}::VARCHAR[],
    ${alias}.op_name)
    OR coalesce(list_has_any(${alias}.input_refs, ${refs}::VARCHAR[]), false))`
}

/** CTE `model (evaluation, model)`: the model of each evaluation. */
export function modelsSql(models: ReadonlyMap<string, string>, parameters: Parameters): string {
  const ids = parameters.bind({ texts: [...models.keys()] })
  const refs = parameters.bind({ texts: [...models.values()] })
  return `model AS (SELECT unnest(${ids}::VARCHAR[]) AS evaluation, unnest(${refs}::VARCHAR[]) AS model)`
}

/** SELECT of `digest` and `val` for every dataset row of the project. */
export function datasetRowsSql({ datasetRows, projectId }: TrialScope, parameters: Parameters): string {
  if (datasetRows === undefined) throw new Error('Read rows of datasets: the table of dataset rows is missing')
  return tableRowsSql({ relation: datasetRows, projectId }, ['t."digest"', 't."val"'], [], parameters)
}
