import { DomainError } from '../errors.ts'
import { limits } from '../limits.ts'
import { nearest } from './nearest.ts'

/** @throws DomainError InvalidRequest for more sort keys than are allowed */
export function checkSortKeys(keys: readonly unknown[]): void {
  if (keys.length <= limits.sortKeysMax) return
  throw new DomainError(
    'InvalidRequest',
    `Read sort_by: ${keys.length} keys are more than the ${limits.sortKeysMax} allowed`,
  )
}

/** The one of `names` that `things` are to be sorted by. @throws DomainError InvalidField */
export function sortableField<Name extends string>(things: string, field: string, names: readonly Name[]): Name {
  const known = names.find((name) => name === field)
  if (known !== undefined) return known
  throw new DomainError(
    'InvalidField',
    `Sort ${things} by "${field.slice(0, 80)}": that cannot be; did you mean "${nearest(field, names)}"?`,
    { extras: { field } },
  )
}
