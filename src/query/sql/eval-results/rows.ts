import type { Sql } from '../../../model/sql.ts'
import type { RowFilter, RowSort, RowsPlan, TrialScope, TrialValue } from '../../eval-results/plan.ts'
import { jsonPointer } from '../../field-path.ts'
import { tableConditionSql } from '../../table-query/condition-sql.ts'
import { Parameters } from '../parameters.ts'
import { scoreValuesSql } from './scored-trials.ts'
import { datasetRowsSql, trialsSql } from './trials.ts'

export interface RowsOptions {
  readonly children: boolean
  readonly models: ReadonlyMap<string, string>
}

/**
 * The page of row digests, in order. One row more comes first: null and the number of all rows that there are before paging.
 */
export function rowsStatement(scope: TrialScope, plan: RowsPlan, options: RowsOptions): Sql {
  const parameters = new Parameters()
  const { values } = plan
  const trials = valuesSql(scope, values, options, parameters)
  const figures = values.flatMap((value, index) => figureSql(value, index))
  // Rows differ by their digest: what is sorted by after it changes nothing.
  const last = plan.sort.findIndex(({ value }) => value === undefined)
  const sorts = plan.sort.slice(0, last < 0 ? undefined : last).flatMap((key, index) => sortSql(key, index, parameters))
  const filters = plan.filters.map((filter) => filterSql(filter, plan, scope, parameters))
  const intersection = plan.requireIntersection ? [`count(*) = ${scope.evaluationIds.length}`] : []
  const having = [...intersection, ...filters]
  const order = [
    ...sorts.map(({ alias, direction }) => `${alias} ${direction} NULLS LAST`),
    `row_digest ${plan.sort[last]?.direction ?? 'asc'}`,
  ].join(', ')
  const page = [
    plan.limit === undefined ? '' : ` LIMIT ${parameters.bind(BigInt(plan.limit))}::BIGINT`,
    plan.offset === 0 ? '' : ` OFFSET ${parameters.bind(BigInt(plan.offset))}::BIGINT`,
  ].join('')
  return {
    text: `WITH ${trials},
      v AS (SELECT row_digest, evaluation${figures.map((sql) => `, ${sql}`).join('')} FROM valued GROUP BY row_digest, evaluation),
      kept AS MATERIALIZED (SELECT row_digest${sorts.map(({ sql, alias }) => `, ${sql} AS ${alias}`).join('')} FROM v
        GROUP BY row_digest${having.length === 0 ? '' : ` HAVING ${having.join(' AND ')}`}),
      page AS (SELECT row_digest, row_number() OVER (ORDER BY ${order}) AS n FROM kept ORDER BY n${page})
    SELECT row_digest, total FROM (SELECT NULL AS row_digest, count(*) AS total, 0 AS n FROM kept
      UNION ALL SELECT row_digest, NULL, n FROM page) ORDER BY n`,
    values: parameters.values,
  }
}

/** CTEs that end with `valued`: a row a trial, with `x0`, `x1`, … for the values as JSON text, null where missing or null. */
function valuesSql(
  scope: TrialScope,
  values: readonly TrialValue[],
  { children, models }: RowsOptions,
  parameters: Parameters,
): string {
  const items = values.flatMap((value, index) =>
    value.source === 'scores' ? [] : [`${extracted(value, parameters)} AS x${index}`],
  )
  const scores = values.flatMap(({ source, path }, index) => (source === 'scores' ? [{ path, index }] : []))
  const trials =
    scores.length === 0
      ? `scored AS (${trialsSql(scope, ['t."started_at"', ...items], parameters)})`
      : scoreValuesSql(
          scope,
          scores.map(({ path }) => path),
          { items, children, models },
          parameters,
        )
  const named = scores.map(({ index }, place) => `, nullif(y${place}, 'null') AS x${index}`)
  const inputs = values.flatMap(({ source, path }, index) => (source === 'inputs' ? [{ path, index }] : []))
  if (inputs.length === 0) return `${trials}, valued AS (SELECT *${named.join('')} FROM scored)`
  // Where a trial has the ref of its row, the row itself is among those of datasets.
  const resolved = inputs.map(({ path, index }) => {
    const member = `json_extract(r.val, ${parameters.bind(jsonPointer(path))})::VARCHAR`
    return `coalesce(x${index}, nullif(${member}, 'null')) AS x${index}`
  })
  return `${trials}, valued AS (SELECT scored.* REPLACE (${resolved.join(', ')})${named.join('')}
    FROM scored LEFT JOIN (${datasetRowsSql(scope, parameters)}) r ON r.digest = scored.row_digest)`
}

function extracted({ source, path }: TrialValue, parameters: Parameters): string {
  const [column, first] = source === 'inputs' ? ['inputs', 'example'] : ['output', 'output']
  const pointer = parameters.bind(jsonPointer([first, ...path]))
  return `nullif(json_extract(t."${column}", ${pointer})::VARCHAR, 'null')`
}

/** A JSON text as a number: truth counts as 1, its opposite as 0. */
const numberOf = (text: string): string =>
  `CASE ${text} WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE TRY_CAST(${text} AS DOUBLE) END`

/** Value `v…` of one row in one evaluation: the mean of its trials where there are several with numbers, else that of the first. */
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
  { evaluationIds }: TrialScope,
  parameters: Parameters,
): string {
  const holds = `coalesce(${tableConditionSql(condition, 'v', parameters)}, false)`
  if (evaluationId !== undefined) return `bool_or(evaluation = ${parameters.bind(evaluationId)} AND ${holds})`
  return needsAll ? `count(*) FILTER (WHERE ${holds}) = ${evaluationIds.length}` : `bool_or(${holds})`
}
