import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { SortBy } from '../../model/calls.ts'
import type { Relation } from '../../model/relation.ts'
import type { Sql } from '../../model/sql.ts'
import { Parameters } from '../sql/parameters.ts'
import { tableRowsSql } from '../sql/table-rows.ts'
import { tableConditionSql, tableFieldSql } from './condition-sql.ts'
import { resolveTableField, type TableField, type TableFields } from './fields.ts'
import type { QueryNode } from './query-tree.ts'

/** A question about one table, read and checked. */
export interface TablePlan {
  readonly projectId: string
  readonly fields: readonly TableField[]
  readonly where: QueryNode | undefined
  readonly sort: readonly { readonly field: TableField; readonly direction: 'asc' | 'desc' }[]
  readonly limit: number | undefined
  readonly offset: number
}

/** Sort keys in total order: `id` breaks ties. @throws DomainError InvalidField, InvalidRequest */
export function parseTableSort(
  fields: TableFields,
  asked: readonly SortBy[] | null | undefined,
  otherwise: readonly SortBy[],
): TablePlan['sort'] {
  if ((asked?.length ?? 0) > limits.sortKeysMax) {
    throw new DomainError(
      'InvalidRequest',
      `Read sort_by: ${asked!.length} keys are more than the ${limits.sortKeysMax} allowed`,
    )
  }
  const keys = (asked && asked.length > 0 ? asked : otherwise).map(({ field, direction }) => ({
    field: resolveTableField(fields, field),
    direction,
  }))
  if (keys.some(({ field }) => field.column === 'id')) return keys
  return [...keys, { field: resolveTableField(fields, 'id'), direction: 'asc' }]
}

/** The values of the plan's fields, a row each, in order. JSON comes as text. */
export function compileTableQuery(plan: TablePlan, relation: Relation): Sql {
  const parameters = new Parameters()
  const { fields, sort, limit, offset, where } = plan
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
  const page = [
    limit === undefined ? '' : ` LIMIT ${parameters.bind(BigInt(limit))}::BIGINT`,
    offset === 0 ? '' : ` OFFSET ${parameters.bind(BigInt(offset))}::BIGINT`,
  ].join('')
  const list = fields.map((_, index) => `f${index}`).join(', ')
  return { text: `SELECT ${list} FROM (${rows}) ORDER BY ${order.join(', ')}${page}`, values: parameters.values }
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
  return [`TRY_CAST(${value} ->> '$' AS DOUBLE)`, `${value} ->> '$'`]
}
