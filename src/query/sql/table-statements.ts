import type { Relation } from '../../kernel/relation.ts'
import type { Sql } from '../../kernel/sql.ts'
import type { TableField } from '../table-fields.ts'
import type { TablePlan } from '../table-plan.ts'
import { pageSql } from './page.ts'
import { Parameters } from './parameters.ts'
import { tableConditionSql, tableFieldSql } from './table-query/condition.ts'
import { numberInTextSql } from './table-query/value.ts'
import { tableRowsSql } from './table-rows.ts'
import { timeText } from './time-text.ts'

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
 * @param part only these of them
 */
export function compileTableTexts(
  plan: TablePlan,
  relation: Relation,
  leftOut: ReadonlyMap<string, string>,
  part?: TablePart,
): Sql {
  const parameters = new Parameters()
  const members = plan.fields.map((field, index) => {
    const name = parameters.bind(`${index === 0 ? '{' : ','}${JSON.stringify(field.name)}:`)
    const value = jsonTextSql(field, `f${index}`)
    const nothing = leftOut.get(field.column)
    if (nothing === undefined) return `${name}, ${value}`
    return `CASE WHEN ${value} IN ('null', ${parameters.bind(nothing)}) THEN '' ELSE ${name} || ${value} END`
  })
  const rows = orderedRowsSql(plan, relation, parameters, part)
  return { text: `SELECT concat(${members.join(', ')}, '}') FROM ${rows}`, values: parameters.values }
}

/** Rows that are read together, out of a table that `compileTableParts` has filled. */
export interface TablePart {
  readonly table: string
  readonly part: number
  /** Bounds of their ids, by which parts of files are passed over. */
  readonly minId: string
  readonly maxId: string
}

/** Bytes of JSON in all rows that match, whatever the page. */
export function compileTableBytes(plan: TablePlan, relation: Relation): Sql {
  const parameters = new Parameters()
  const rows = tableRowsSql(
    { relation, projectId: plan.projectId },
    () => [`${jsonBytesSql(plan)} AS bytes`],
    (bound) => (plan.where === undefined ? [] : [tableConditionSql(plan.where, 't', bound)]),
    parameters,
  )
  return { text: `SELECT coalesce(sum(bytes), 0)::DOUBLE FROM (${rows})`, values: parameters.values }
}

/** Ids of the rows of the page, each with the number of its part: parts follow the order of the plan and hold about `partBytes` of JSON. */
export function compileTableParts(plan: TablePlan, relation: Relation, partBytes: number): Sql {
  const parameters = new Parameters()
  const rows = tableRowsSql(
    { relation, projectId: plan.projectId },
    (bound) => ['t.id AS id', `${jsonBytesSql(plan)} AS bytes`, ...sortItems(plan, bound)],
    (bound) => (plan.where === undefined ? [] : [tableConditionSql(plan.where, 't', bound)]),
    parameters,
  )
  return {
    text: `SELECT id, (sum(bytes) OVER (ORDER BY n) // ${partBytes})::INTEGER AS part
      FROM (SELECT id, bytes, row_number() OVER (ORDER BY ${orderSql(plan)}) AS n FROM (${rows}))
      ORDER BY n${pageSql(plan, parameters)}`,
    values: parameters.values,
  }
}

/** The parts in a table that `compileTableParts` has filled, in order: number, least and greatest id. */
export const compilePartList = (table: string): Sql => ({
  text: `SELECT part, min(id), max(id) FROM "${table}" GROUP BY part ORDER BY part`,
  values: [],
})

/** Bytes of the JSON columns of `t` that the plan reads. */
function jsonBytesSql({ fields }: TablePlan): string {
  const columns = new Set(fields.filter(({ type }) => type === 'json').map(({ column }) => column))
  return ['0', ...[...columns].map((column) => `coalesce(strlen(t."${column}"), 0)`)].join(' + ')
}

/** Values `f0`, `f1` … of the plan's fields, with order and page behind them. */
function orderedRowsSql(plan: TablePlan, relation: Relation, parameters: Parameters, part?: TablePart): string {
  const { fields, where } = plan
  const rows = tableRowsSql(
    { relation, projectId: plan.projectId },
    (bound) => [...fields.map((field, index) => `${outputSql(field, bound)} AS f${index}`), ...sortItems(plan, bound)],
    (bound) => (part ? partTerms(part, bound) : where === undefined ? [] : [tableConditionSql(where, 't', bound)]),
    parameters,
  )
  const page = part ? '' : pageSql(plan, parameters)
  return `(${rows}) ORDER BY ${orderSql(plan)}${page}`
}

const partTerms = ({ table, part, minId, maxId }: TablePart, parameters: Parameters): string[] => [
  `t.id BETWEEN ${parameters.bind(minId)} AND ${parameters.bind(maxId)}`,
  `t.id IN (SELECT id FROM "${table}" WHERE part = ${parameters.bind(part)})`,
]

/** What rows are sorted by, as `s0_0`, `s0_1` … */
const sortItems = ({ sort }: TablePlan, parameters: Parameters): string[] =>
  sort.flatMap((key, index) => sortTerms(key.field, parameters).map((sql, term) => `${sql} AS s${index}_${term}`))

const orderSql = ({ sort }: TablePlan): string =>
  sort
    .flatMap(({ field, direction }, index) =>
      sortTerms(field, new Parameters()).map((_, term) => `s${index}_${term} ${direction} NULLS LAST`),
    )
    .join(', ')

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
