import { DomainError, type ErrorType, ValidationError } from '../errors.ts'
import { TimeSlice } from '../platform/event-loop.ts'

/** What a sender can put right in one item; anything else is about the request, the sender or the server. */
const itemFaults: ReadonlySet<ErrorType> = new Set(['InvalidRequest', 'InvalidField', 'NotFound', 'DigestMismatch'])

/**
 * What is wrong with the item at `index` of a batch, with its place: clients split a batch and send its other items again where they
 * are told that the request is invalid, and give all of them up at any other refusal. Other errors as they are.
 */
export function itemFault(error: unknown, index: number): unknown {
  if (!(error instanceof DomainError) || !itemFaults.has(error.type)) return error
  return new ValidationError([{ loc: ['body', 'batch', String(index)], msg: error.message, type: 'value_error' }])
}

/**
 * Works on the items of a batch one after the other. Other requests have their turn where that takes long.
 *
 * @throws ValidationError with the place of the item that is at fault
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
