import type { Value } from './expression.ts'

/**
 * A value for comparisons: a column that compares as the empty text if it is missing. Other values
 * are returned unchanged.
 */
export const orEmpty = (value: Value): Value =>
  value.kind === 'field' && value.field.kind === 'column' && value.field.emptyIfMissing
    ? { kind: 'orEmpty', input: value }
    : value
