import { DomainError } from '../errors.ts'
import type { SortBy } from '../model/calls.ts'
import { type Field, resolveField } from './catalog.ts'
import { checkSortKeys } from './sort-keys.ts'

export interface SortKey {
  readonly field: Field
  readonly direction: 'asc' | 'desc'
}

const unsortable: ReadonlySet<string> = new Set(['storage_size_bytes', 'total_storage_size_bytes'])

/**
 * Sort keys of a calls query, always a total order: oldest first by default, and `id` breaks ties.
 *
 * @throws DomainError InvalidField, InvalidRequest
 */
export function parseSort(sortBy: readonly SortBy[] | null | undefined): SortKey[] {
  const asked = sortBy ?? []
  checkSortKeys(asked)
  const keys = asked.map(({ field, direction }): SortKey => {
    if (unsortable.has(field)) throw new DomainError('InvalidRequest', `Sort by "${field}": sizes cannot be sorted by`)
    return { field: resolveField(field), direction }
  })
  if (keys.length === 0) keys.push({ field: resolveField('started_at'), direction: 'asc' })
  if (keys.some((key) => isColumn(key.field, 'id'))) return keys
  const last = keys.at(-1)!
  const direction = isColumn(last.field, 'started_at') ? last.direction : 'desc'
  return [...keys, { field: resolveField('id'), direction }]
}

export const isColumn = (field: Field, column: string): boolean => field.kind === 'column' && field.column === column
