import type { SortBy } from '../formats/schemas/calls.ts'
import { DomainError } from '../lib/errors.ts'
import { operationLimits } from '../lib/limits/operations.ts'
import { type Catalog, type Field, resolveField } from './catalog.ts'

export interface SortKey {
  readonly field: Field
  readonly direction: 'asc' | 'desc'
}

/** How the rows of one kind may be sorted. */
export interface SortRules {
  readonly catalog: Catalog
  /** The order if a request names no keys. */
  readonly otherwise: readonly SortBy[]
  /**
   * The field that breaks ties, which makes the order total; its direction may follow the last key.
   */
  readonly tieBreaker?: {
    readonly field: string
    readonly direction: (last: SortKey | undefined) => SortKey['direction']
  }
}

/** Rows with an ascending tie-breaker. */
export const ascendingBy = (field: string): NonNullable<SortRules['tieBreaker']> => ({ field, direction: () => 'asc' })

/**
 * Parses the `sort_by` member of a request.
 *
 * @throws DomainError InvalidField for an unknown field, InvalidRequest for too many keys or a
 *   field that cannot be sorted by
 */
export function parseSort(
  sortBy: readonly SortBy[] | null | undefined,
  { catalog, otherwise, tieBreaker }: SortRules,
): SortKey[] {
  checkSortKeys(sortBy ?? [])
  const asked = sortBy && sortBy.length > 0 ? sortBy : otherwise
  const keys = asked.map((key) => ({ field: sortField(catalog, key.field), direction: key.direction }))
  if (tieBreaker === undefined) return keys
  const field = resolveField(catalog, tieBreaker.field)
  if (keys.some((key) => isSameColumn(key.field, field))) return keys
  return [...keys, { field, direction: tieBreaker.direction(keys.at(-1)) }]
}

function sortField(catalog: Catalog, name: string): Field {
  const reason = catalog.unsortable?.get(name)
  if (reason !== undefined) throw new DomainError('InvalidRequest', `Cannot sort by "${name}": ${reason}`)
  return resolveField(catalog, name)
}

/** @throws DomainError InvalidRequest for more sort keys than are allowed */
function checkSortKeys(keys: readonly unknown[]): void {
  if (keys.length <= operationLimits.sortKeysMax) return
  throw new DomainError(
    'InvalidRequest',
    `Invalid sort_by: ${keys.length} keys, at most ${operationLimits.sortKeysMax} are allowed`,
  )
}

const isSameColumn = (a: Field, b: Field): boolean => b.kind === 'column' && isColumn(a, b.column)

/** Whether a field is the plain column of that name. */
export const isColumn = (field: Field, column: string): boolean => field.kind === 'column' && field.column === column
