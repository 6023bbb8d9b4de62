import { DomainError, type ErrorType, RequestInvalid } from '../errors.ts'

/** What a sender can put right in one item; anything else is about the request, the sender or the server. */
const itemFaults: ReadonlySet<ErrorType> = new Set(['InvalidRequest', 'InvalidField', 'NotFound', 'DigestMismatch'])

/**
 * What is wrong with the item at `index` of a batch, with its place: clients split a batch and send its other items again where they
 * are told that the request is invalid, and give all of them up at any other refusal. Other errors as they are.
 */
export function itemFault(error: unknown, index: number): unknown {
  if (!(error instanceof DomainError) || !itemFaults.has(error.type)) return error
  return new RequestInvalid([{ loc: ['body', 'batch', String(index)], msg: error.message, type: 'value_error' }])
}

/** Works on the items of a batch one after the other. @throws RequestInvalid with the place of the item that is at fault */
export const mapItems = <Item, Result>(items: readonly Item[], work: (item: Item, index: number) => Result): Result[] =>
  items.map((item, index) => {
    try {
      return work(item, index)
    } catch (error) {
      throw itemFault(error, index)
    }
  })
