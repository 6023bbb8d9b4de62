import { list, number, oneOf, text } from '../../state/search-text.ts'
import { urlState } from '../../state/url-state.ts'

/**
 * What the address says: the calls or the name of their list, the dataset, the call that is shown.
 */
export const collectUrl = urlState({
  ids: list(),
  set: text(),
  /** A queue whose final answers become columns. */
  queue: text(),
  by: oneOf(['call', 'thread']),
  into: text(),
  at: number(0),
})
