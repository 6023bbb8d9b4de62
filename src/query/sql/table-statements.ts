import type { Relation } from '../../lib/relation.ts'
import type { Sql } from '../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../lib/typed-rows.ts'
import type { Field } from '../catalog.ts'
import { lowerRows } from '../check/lower.ts'
import type { TablePlan } from '../table-plan.ts'
import { branchSourceSql } from './branch.ts'
import { jsonTextSql } from './json-value.ts'
import { orderTerms, pageSql } from './order.ts'
import { timeText } from './output-values.ts'
import { Parameters } from './parameters.ts'
import { branchScope, branchTerms, scopeOf } from './rows.ts'
import type { Scope } from './scope.ts'
import { tableRowsSql, unionSql } from './table-rows.ts'
import { fieldSql } from './value.ts'

/** The values of the plan's fields, one row each, in order. JSON is text. */
export function compileTableQuery(plan: TablePlan, relation: Relation): Sql {
  const parameters = new Parameters()
  const list = plan.fields.map((_, index) => `f${index}`).join(', ')
  return { text: `SELECT ${list} FROM ${orderedRowsSql(plan, relation, parameters)}`, values: parameters.values }
}

/**
 * The same rows as JSON objects whose members are named as the request names the fields. JSON
 * values keep their text.
 *
 * @param leftOut columns to omit from rows in which they are null or this JSON text; never the
 *   first field
 * @param part only these rows
 */
export function compileTableTexts(
  plan: TablePlan,
  relation: Relation,
  leftOut: ReadonlyMap<string, string>,
  part?: TablePart,
): Sql {
  const parameters = new Parameters()
  const members = plan.fields.map(({ name, field }, index) => {
    const member = parameters.bind(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)
    const value = memberSql(field, `f${index}`)
    const nothing = 'column' in field ? leftOut.get(field.column) : undefined
    if (nothing === undefined) return `${member}, ${value}`
    return `CASE WHEN ${value} IN ('null', ${parameters.bind(nothing)}) THEN '' ELSE ${member} || ${value} END`
  })
  const rows = orderedRowsSql(plan, relation, parameters, part)
  return { text: `SELECT concat(${members.join(', ')}, '}') FROM ${rows}`, values: parameters.values }
}

/** Rows that are read together, from a table that `compileTableParts` has filled. */
export interface TablePart {
  readonly table: string
  readonly part: number
  /** Bounds of their ids, which let readers skip row groups. */
  readonly minId: string
  readonly maxId: string
}

const bytesShape = rowShape({ bytes: 'number' })

/** Bytes of JSON in all matching rows, before paging. */
export function compileTableBytes(plan: TablePlan, relation: Relation): Sql<RowOfShape<typeof bytesShape>> {
  const parameters = new Parameters()
  const rows = matchingSql(plan, relation, () => [`${jsonBytesSql(plan)} AS bytes`], parameters)
  const text = `SELECT coalesce(sum(bytes), 0)::DOUBLE FROM (${rows})`
  return { text, values: parameters.values, shape: bytesShape }
}

/**
 * Ids of the rows of a page with the number of their part: parts follow the order of the plan, each
 * about `partBytes` of JSON.
 */
export function compileTableParts(plan: TablePlan, relation: Relation, partBytes: number): Sql {
  const parameters = new Parameters()
  const items = (scope: Scope) => ['t.id AS id', `${jsonBytesSql(plan)} AS bytes`, ...sortItems(plan, scope)]
  const rows = matchingSql(plan, relation, items, parameters)
  return {
    text: `SELECT id, (sum(bytes) OVER (ORDER BY n) // ${partBytes})::INTEGER AS part
      FROM (SELECT id, bytes, row_number() OVER (ORDER BY ${sortOrder(plan)}) AS n FROM (${rows}))
      ORDER BY n${pageSql(plan, parameters)}`,
    values: parameters.values,
  }
}

const partShape = rowShape({ part: 'integer', minId: 'text', maxId: 'text' })

/**
 * The parts in a table that `compileTableParts` has filled, in order: number, smallest and largest
 * id.
 */
export const compilePartList = (table: string): Sql<RowOfShape<typeof partShape>> => ({
  text: `SELECT part, min(id), max(id) FROM "${table}" GROUP BY part ORDER BY part`,
  values: [],
  shape: partShape,
})

const countShape = rowShape({ count: 'integer' })

/** The number of matching rows, before paging. */
export function compileTableCount(plan: TablePlan, relation: Relation): Sql<RowOfShape<typeof countShape>> {
  const parameters = new Parameters()
  const rows = matchingSql(plan, relation, () => ['1'], parameters)
  return { text: `SELECT count(*) FROM (${rows})`, values: parameters.values, shape: countShape }
}

/** Bytes of the JSON columns of `t` that the plan reads. */
function jsonBytesSql({ fields }: TablePlan): string {
  const columns = new Set(fields.flatMap(({ field }) => (field.kind === 'json' ? [field.column] : [])))
  return ['0', ...[...columns].map((column) => `coalesce(strlen(t."${column}"), 0)`)].join(' + ')
}

/** Values `f0`, `f1`, … of the plan's fields, followed by order and page. */
function orderedRowsSql(plan: TablePlan, relation: Relation, parameters: Parameters, part?: TablePart): string {
  const items = (scope: Scope) => [
    ...plan.fields.map(({ field }, index) => `${outputSql(field, scope)} AS f${index}`),
    ...sortItems(plan, scope),
  ]
  const rows = part ? partSql(plan, relation, part, items, parameters) : matchingSql(plan, relation, items, parameters)
  return `(${rows}) ORDER BY ${sortOrder(plan)}${part ? '' : pageSql(plan, parameters)}`
}

/** SELECT of items over the rows `t` that match the plan, over all branches. */
function matchingSql(
  { projectId, where, after }: TablePlan,
  relation: Relation,
  items: (scope: Scope) => readonly string[],
  parameters: Parameters,
): string {
  const wanted = lowerRows({ relation, projectId, where, after, columns: [] })
  const branches = relation.branches.map((branch) => {
    const terms = branchTerms(branch, wanted, parameters)
    const list = items(branchScope(branch, wanted, parameters))
    return `SELECT ${list.join(', ')} FROM ${branchSourceSql(branch, parameters)} t WHERE ${terms.join(' AND ')}`
  })
  return unionSql(branches)
}

/** SELECT of items over the rows of one part. */
function partSql(
  { projectId }: TablePlan,
  relation: Relation,
  { table, part, minId, maxId }: TablePart,
  items: (scope: Scope) => readonly string[],
  parameters: Parameters,
): string {
  const scope = scopeOf('t', { projectId }, parameters)
  return tableRowsSql(
    { relation, projectId },
    items(scope),
    [
      `t.id BETWEEN ${parameters.bind(minId)} AND ${parameters.bind(maxId)}`,
      `t.id IN (SELECT id FROM "${table}" WHERE part = ${parameters.bind(part)})`,
    ],
    parameters,
  )
}

/** The sort terms of row `t` as `s0_0`, `s0_1`, … */
const sortItems = ({ sort }: TablePlan, scope: Scope): string[] =>
  sort.flatMap((key, index) => orderTerms(key, scope).map(({ sql }, term) => `${sql} AS s${index}_${term}`))

/** ORDER BY terms over `sortItems`. */
function sortOrder({ sort, projectId }: TablePlan): string {
  const scope = scopeOf('t', { projectId }, new Parameters())
  return sort
    .flatMap((key, index) => orderTerms(key, scope).map(({ order }, term) => `s${index}_${term} ${order}`))
    .join(', ')
}

/** The value of a field in an answer: JSON as text, null if it is missing or JSON null. */
const outputSql = (field: Field, scope: Scope): string =>
  field.kind === 'json' ? `nullif(${jsonTextSql(field, scope)}, 'null')` : fieldSql(field, scope)

/** JSON text of a value of `outputSql`. */
function memberSql(field: Field, value: string): string {
  if (field.kind === 'json') return `coalesce(${value}, 'null')`
  if (field.type === 'time') return `coalesce('"' || ${timeText(value)} || '"', 'null')`
  return `coalesce(to_json(${value})::VARCHAR, 'null')`
}
