import { DomainError, quoted } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'

type Value = string | number | boolean | null

export interface PageRequest {
  readonly sort_by?: readonly { readonly field: string; readonly direction?: 'asc' | 'desc' }[] | null | undefined
  readonly limit?: number | null | undefined
  readonly offset?: number | null | undefined
}

/**
 * A page of rows in the order of a request; nulls come last. @throws DomainError InvalidField for a
 * field that rows do not have
 */
export function sortedPage<Row extends object>(
  rows: readonly Row[],
  { sort_by, limit, offset }: PageRequest,
  otherwise: string,
  fields: readonly string[],
): Row[] {
  const sort = sort_by?.length ? sort_by : [{ field: otherwise, direction: 'desc' as const }]
  for (const { field } of sort) {
    if (!fields.includes(field))
      throw new DomainError('InvalidField', `Cannot sort by ${quoted(field)}: there is no such field`)
  }
  const valueIn = (row: Row, field: string) => (row as Record<string, Value | undefined>)[field] ?? null
  const sorted = rows.toSorted((a, b) => {
    for (const { field, direction } of sort) {
      const order = compare(valueIn(a, field), valueIn(b, field), direction === 'asc' ? 1 : -1)
      if (order !== 0) return order
    }
    return 0
  })
  const from = offset ?? 0
  return sorted.slice(from, from + (limit ?? operationLimits.agentsListedDefault))
}

function compare(a: Value, b: Value, sign: 1 | -1): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return (a < b ? -1 : 1) * sign
}
