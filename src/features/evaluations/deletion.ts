import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'

/** Distinct ids of a delete request. @throws DomainError RequestTooLarge for too many */
export function idsToDelete(what: string, ids: readonly string[]): string[] {
  const distinct = [...new Set(ids)]
  if (distinct.length > limits.deleteIdsMax) {
    throw new DomainError(
      'RequestTooLarge',
      `Too many ${what} to delete: ${distinct.length}; at most ${limits.deleteIdsMax} are allowed per request`,
    )
  }
  return distinct
}

export const notFound = (what: string, id: string): DomainError =>
  new DomainError('NotFound', `The ${what} "${id.slice(0, 80)}" does not exist`)
