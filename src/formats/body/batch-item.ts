import { DomainError, type ErrorType, ValidationError } from '../../lib/errors.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'

/**
 * Errors that a client can fix in one item; all others concern the request, the client or the
 * server.
 */
const itemFaults: ReadonlySet<ErrorType> = new Set(['InvalidRequest', 'InvalidField', 'NotFound', 'DigestMismatch'])

/**
 * Turns an error in batch item `index` into a validation error with its place. Clients split a
 * batch and resend its valid items only after a validation error; after any other error they give
 * up the whole batch. Other errors are returned unchanged.
 */
export function itemFault(error: unknown, index: number): unknown {
  if (!(error instanceof DomainError) || !itemFaults.has(error.type)) return error
  return new ValidationError([{ loc: ['body', 'batch', String(index)], msg: error.message, type: 'value_error' }])
}

/**
 * Processes batch items one after the other, yielding to other requests if that takes long.
 *
 * @throws ValidationError with the place of the faulty item
 */
export async function mapItems<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  const slice = new TimeSlice()
  for (const [index, item] of items.entries()) {
    if (slice.expired) await slice.yield()
    try {
      results.push(work(item, index))
    } catch (error) {
      throw itemFault(error, index)
    }
  }
  return results
}
