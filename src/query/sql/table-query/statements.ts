import type { Relation } from '../../../model/relation.ts'
import type { Sql } from '../../../model/sql.ts'
import type { TableField } from '../../table-query/fields.ts'
import type { TablePlan } from '../../table-query/table-plan.ts'
import { pageSql } from '../page.ts'
import { Parameters } from '../parameters.ts'
import { tableRowsSql } from '../table-rows.ts'
import { timeText } from '../time-text.ts'
import { tableConditionSql, tableFieldSql } from './condition.ts'
import { numberInTextSql } from './value.ts'

/** The values of the plan's fields, a row each, in order. JSON comes as text. */
export function compileTableQuery(plan: TablePlan, relation: Relation): Sql {
  const parameters = new Parameters()
  const list = plan.fields.map((_, index) => `f${index}`).join(', ')
  return { text: `SELECT ${list} FROM ${orderedRowsSql(plan, relation, parameters)}`, values: parameters.values }
}

/**
 * The same rows as JSON objects, whose members have the names of the fields; JSON to the letter.
 *
 * @param leftOut columns that are left out of rows in which they are null, or this JSON text; the first field is none of them
 */
export function compileTableTexts(plan: TablePlan, relation: Relation, leftOut: ReadonlyMap<string, string>): Sql {
  const parameters = new Parameters()
  const members = plan.fields.map((field, index) => {
    const name = parameters.bind(`${index === 0 ? '{' : ','}${JSON.stringify(field.name)}:`)
    const value = jsonTextSql(field, `f${index}`)
    const nothing = leftOut.get(field.column)
    if (nothing === undefined) return `${name}, ${value}`
    return `CASE WHEN ${value} IN ('null', ${parameters.bind(nothing)}) THEN '' ELSE ${name} || ${value} END`
  })
  const rows = orderedRowsSql(plan, relation, parameters)
  return { text: `SELECT concat(${members.join(', ')}, '}') FROM ${rows}`, values: parameters.values }
}

/** Values `f0`, `f1` … of the plan's fields, with order and page behind them. */
function orderedRowsSql(plan: TablePlan, relation: Relation, parameters: Parameters): string {
  const { fields, sort, where } = plan
  const rows = tableRowsSql(
    { relation, projectId: plan.projectId },
    (bound) => [
      ...fields.map((field, index) => `${outputSql(field, bound)} AS f${index}`),
      ...sort.flatMap((key, index) => sortTerms(key.field, bound).map((sql, term) => `${sql} AS s${index}_${term}`)),
    ],
    (bound) => (where === undefined ? [] : [tableConditionSql(where, 't', bound)]),
    parameters,
  )
  const order = sort.flatMap(({ field, direction }, index) =>
    sortTerms(field, new Parameters()).map((_, term) => `s${index}_${term} ${direction} NULLS LAST`),
  )
  return `(${rows}) ORDER BY ${order.join(', ')}${pageSql(plan, parameters)}`
}

/** JSON text of a value that `outputSql` has given. */
function jsonTextSql({ type }: TableField, value: string): string {
  if (type === 'json') return `coalesce(${value}, 'null')`
  if (type === 'time') return `coalesce('"' || ${timeText(value)} || '"', 'null')`
  return `coalesce(to_json(${value})::VARCHAR, 'null')`
}

/** How many rows match, whatever the page. */
export function compileTableCount(plan: TablePlan, relation: Relation): Sql {
  const parameters = new Parameters()
  const rows = tableRowsSql(
    { relation, projectId: plan.projectId },
    () => ['1'],
    (bound) => (plan.where === undefined ? [] : [tableConditionSql(plan.where, 't', bound)]),
    parameters,
  )
  return { text: `SELECT count(*) FROM (${rows})`, values: parameters.values }
}

const outputSql = (field: TableField, parameters: Parameters): string =>
  field.type === 'json' ? `(${tableFieldSql(field, 't', parameters)})::VARCHAR` : tableFieldSql(field, 't', parameters)

/** Values inside JSON have mixed types: numbers first, by their size, then the rest as text. */
function sortTerms(field: TableField, parameters: Parameters): string[] {
  const value = tableFieldSql(field, 't', parameters)
  if (field.type !== 'json') return [value]
  return [numberInTextSql(`(${value} ->> '$')`), `${value} ->> '$'`]
}
