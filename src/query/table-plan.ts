import type { SortBy } from '../model/calls.ts'
import { checkSortKeys } from './sort-keys.ts'
import { resolveTableField, type TableField, type TableFields } from './table-fields.ts'
import type { QueryNode } from './table-query/query-tree.ts'

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
  checkSortKeys(asked ?? [])
  const keys = (asked && asked.length > 0 ? asked : otherwise).map(({ field, direction }) => ({
    field: resolveTableField(fields, field),
    direction,
  }))
  if (keys.some(({ field }) => field.column === 'id')) return keys
  return [...keys, { field: resolveTableField(fields, 'id'), direction: 'asc' }]
}
