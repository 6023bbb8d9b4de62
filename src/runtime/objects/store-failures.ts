import { DomainError } from '../../lib/errors.ts'
import { ObjectStoreError } from './object-store.ts'

/**
 * Runs work that a request waits for: a failure of the store is not the fault of the request.
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

/**
 * The same for work that a signal ends.
 *
 * @throws DomainError StoreUnavailable
 */
export async function inTime<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await unavailableIfFailed(work)
  } catch (cause) {
    if (signal?.aborted !== true) throw cause
    throw new DomainError('StoreUnavailable', 'The data did not arrive from the object store in time; try again later')
  }
}
