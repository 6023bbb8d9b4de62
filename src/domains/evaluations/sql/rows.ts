import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { conditionSql } from '../../../query/sql/condition.ts'
import { pageSql } from '../../../query/sql/order.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { scopeOf } from '../../../query/sql/rows.ts'
import type { KeptTrials, RowFilter, RowSort, RowsPlan, TrialScope, TrialValue } from '../plan/plan.ts'
import { scoredTrialsSql } from './scored-trials.ts'
import { datasetRowsSql, jsonValueSql, trialsSql, trialValueSql } from './trials.ts'

export interface RowsOptions {
  /** With the plan's values. Required if these include scores. */
  readonly trials: KeptTrials | undefined
  readonly models: ReadonlyMap<string, string>
}

const pageShape = rowShape({ digest: 'text?', total: 'integer?' })

/**
 * The page of row digests, in order. The first row has null and the number of rows before paging.
 */
export function rowsStatement(
  scope: TrialScope,
  plan: RowsPlan,
  options: RowsOptions,
): Sql<RowOfShape<typeof pageShape>> {
  const parameters = new Parameters()
  const { values } = plan
  const trials = valuesSql(scope, values, options, parameters)
  const figures = values.flatMap((value, index) => figureSql(value, index))
  // Digests are unique, so the sort keys after them have no effect.
  const last = plan.sort.findIndex(({ value }) => value === undefined)
  const sorts = plan.sort.slice(0, last < 0 ? undefined : last).flatMap((key, index) => sortSql(key, index, parameters))
  const filters = plan.filters.map((filter) => filterSql(filter, plan, scope, parameters))
  const intersection = plan.requireIntersection ? [`${countOfEvaluations} = ${scope.evaluationIds.length}`] : []
  const having = [...intersection, ...filters]
  const order = [
    ...sorts.map(({ alias, direction }) => `${alias} ${direction} NULLS LAST`),
    `row_digest ${plan.sort[last]?.direction ?? 'asc'}`,
  ].join(', ')
  const page = pageSql(plan, parameters)
  // Without values there is nothing to aggregate per row and evaluation.
  const rows =
    values.length === 0
      ? 'SELECT row_digest, evaluation FROM valued'
      : `SELECT row_digest, evaluation, ${figures.join(', ')} FROM valued GROUP BY row_digest, evaluation`
  return {
    text: `WITH ${trials},
      v AS (${rows}),
      kept AS MATERIALIZED (SELECT row_digest${sorts.map(({ sql, alias }) => `, ${sql} AS ${alias}`).join('')} FROM v
        GROUP BY row_digest${having.length === 0 ? '' : ` HAVING ${having.join(' AND ')}`}),
      page AS (SELECT row_digest, row_number() OVER (ORDER BY ${order}) AS n FROM kept ORDER BY n${page})
    SELECT row_digest, total FROM (SELECT NULL AS row_digest, count(*) AS total, 0 AS n FROM kept
      UNION ALL SELECT row_digest, NULL, n FROM page) ORDER BY n`,
    values: parameters.values,
    shape: pageShape,
  }
}

/** Over `v`, which may repeat a row of an evaluation if there are no values. */
const countOfEvaluations = 'count(DISTINCT evaluation)'

/**
 * CTEs that end with `valued`: one row per trial, with `x0`, `x1`, … for the values as JSON text;
 * null if missing or JSON null.
 */
function valuesSql(
  scope: TrialScope,
  values: readonly TrialValue[],
  { trials, models }: RowsOptions,
  parameters: Parameters,
): string {
  const items = () => values.map((value, index) => `${trialValueSql(value, parameters)} AS x${index}`)
  const scored = trials
    ? scoredTrialsSql(scope, trials, models, parameters)
    : `scored AS (${trialsSql(scope, ['t."started_at"', ...items()], parameters)})`
  const replaced = values.flatMap(({ source, path }, index) => {
    if (source === 'scores' && trials?.late) {
      return [`${jsonValueSql('scores', path, parameters)} AS x${index}`]
    }
    // If a trial has a ref to its row, the row itself is among the rows of datasets.
    if (source === 'inputs') {
      return [`coalesce(x${index}, ${jsonValueSql('r.val', path, parameters)}) AS x${index}`]
    }
    return []
  })
  const columns = replaced.length === 0 ? '*' : `scored.* REPLACE (${replaced.join(', ')})`
  const datasets = values.some(({ source }) => source === 'inputs')
    ? ` LEFT JOIN (${datasetRowsSql(scope, parameters)}) r ON r.digest = scored.row_digest`
    : ''
  return `${scored}, valued AS (SELECT ${columns} FROM scored${datasets})`
}

/** A JSON text as a number: true is 1, false is 0. */
const numberOf = (text: string): string =>
  `CASE ${text} WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE TRY_CAST(${text} AS DOUBLE) END`

/**
 * Value `v…` of a row in an evaluation: the mean over several trials with numbers, otherwise the
 * value of the first trial.
 */
function figureSql({ source }: TrialValue, index: number): string[] {
  const first = `arg_min(x${index}, (started_at, id))`
  const mean = `avg(${numberOf(`x${index}`)})`
  if (source !== 'scores') return [`${first} AS v${index}`]
  return [
    `CASE WHEN count(x${index}) > 1 THEN coalesce(${mean}::VARCHAR, ${first}) ELSE ${first} END AS v${index}`,
    `${mean} AS m${index}`,
  ]
}

function sortSql(
  { value, direction, evaluationId, isDifference }: RowSort,
  index: number,
  parameters: Parameters,
): { sql: string; alias: string; direction: string }[] {
  if (value === undefined) return []
  const of = evaluationId === undefined ? '' : ` FILTER (WHERE evaluation = ${parameters.bind(evaluationId)})`
  const term = (part: string, sql: string) => ({ sql, alias: `s${index}_${part}`, direction })
  if (isDifference) return [term('d', `max(m${value}) - min(m${value})`)]
  const text = `(v${value}::JSON ->> '$')`
  return [
    term('n', `avg(coalesce(${numberOf(`v${value}`)}, TRY_CAST(${text} AS DOUBLE)))${of}`),
    term('t', `arg_min(${text}, evaluation)${of}`),
  ]
}

function filterSql(
  { evaluationId, condition }: RowFilter,
  { needsAll }: RowsPlan,
  { evaluationIds, projectId }: TrialScope,
  parameters: Parameters,
): string {
  const holds = `coalesce(${conditionSql(condition, scopeOf('v', { projectId }, parameters))}, false)`
  if (evaluationId !== undefined) return `bool_or(evaluation = ${parameters.bind(evaluationId)} AND ${holds})`
  return needsAll ? `${countOfEvaluations} FILTER (WHERE ${holds}) = ${evaluationIds.length}` : `bool_or(${holds})`
}
