import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'

/** Distinct ids of a request that deletes. @throws DomainError RequestTooLarge for more than one request may name */
export function idsToDelete(what: string, ids: readonly string[]): string[] {
  const distinct = [...new Set(ids)]
  if (distinct.length > limits.deleteIdsMax) {
    throw new DomainError(
      'RequestTooLarge',
      `Delete ${what}: ${distinct.length} ids are more than the ${limits.deleteIdsMax} allowed`,
    )
  }
  return distinct
}

export const notFound = (what: string, id: string): DomainError =>
  new DomainError('NotFound', `Find the ${what} "${id.slice(0, 80)}": there is none`)
