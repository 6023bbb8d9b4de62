import { DomainError, quoted, tooMany } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'

/** Distinct ids of a delete request. @throws DomainError RequestTooLarge for too many */
export function idsToDelete(what: string, ids: readonly string[]): string[] {
  const distinct = [...new Set(ids)]
  if (distinct.length > operationLimits.deleteIdsMax) {
    throw new DomainError(
      'RequestTooLarge',
      tooMany(`${what} to delete`, distinct.length, operationLimits.deleteIdsMax, ' per request'),
    )
  }
  return distinct
}

export const notFound = (what: string, id: string): DomainError =>
  new DomainError('NotFound', `The ${what} ${quoted(id)} does not exist`)
