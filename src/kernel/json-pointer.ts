/**
 * The JSON Pointer (RFC 6901) of a path. As in any pointer, an integer segment indexes arrays and
 * names members of objects.
 */
export const jsonPointer = (segments: readonly string[]): string =>
  segments.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** A path in a JSON column as one text. Names of columns have no slash. */
export const columnPath = (column: string, pointer: string): string => column + pointer

/**
 * In such a path, the name of a JSON column that is shown as a member of another one. It differs
 * from that of a member that users sent themselves.
 */
export const shownColumn = (column: string, member: string): string => `${column}.${member}`
