import { DomainError } from '../../lib/errors.ts'
import { ObjectStoreError } from './object-store.ts'

/**
 * For what requests wait for: a store that does not answer as it should is no fault of theirs.
 *
 * @throws DomainError StoreUnavailable in place of an ObjectStoreError
 */
export async function unavailableIfFailed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof ObjectStoreError)) throw cause
    throw new DomainError('StoreUnavailable', 'The object store does not answer as it should; try again later', {
      cause,
    })
  }
}
