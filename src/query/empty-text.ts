import { typeOf, type Value } from './expression.ts'

/** Text columns of a call that may be missing, and that people compare as if they were not. */
const emptyWhereMissing: ReadonlySet<string> = new Set(['exception', 'display_name', 'thread_id', 'turn_id'])

/**
 * A value for comparisons: such a column is the empty text where it is missing, so that what is not equal to a text is found by `$not`.
 * Other values stay as they are.
 */
export const orEmpty = (value: Value): Value =>
  value.kind === 'field' &&
  value.field.kind === 'column' &&
  emptyWhereMissing.has(value.field.column) &&
  typeOf(value) === 'text'
    ? { kind: 'orEmpty', input: value }
    : value
