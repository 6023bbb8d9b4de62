/**
 * Whether DuckDB reached its memory limit. Its package distinguishes kinds of errors only by their
 * message.
 */
export const isOutOfMemory = (cause: unknown): boolean =>
  cause instanceof Error && cause.message.startsWith('Out of Memory Error')
