/**
 * The JSON Pointer (RFC 6901) of a path. As in any pointer, an integer segment indexes arrays and
 * names members of objects.
 */
export const jsonPointer = (segments: readonly string[]): string =>
  segments.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** A path in a JSON column as one text. Names of columns have no slash. */
export const columnPath = (column: string, pointer: string): string => column + pointer

/**
 * Prefix of paths that lead into a JSON column that clients see as a member of another column. The
 * dot distinguishes it from a member of that name that a client has sent.
 */
export const shownColumn = (column: string, member: string): string => `${column}.${member}`

/**
 * Placeholder among paths for all members of a JSON column that only another column contains
 * (`sharedIn` of the table).
 */
export const sharedMembers = (column: string): string => `${column}.*`
