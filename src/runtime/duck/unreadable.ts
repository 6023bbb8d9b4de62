import { findDiskFault } from '../../lib/errors.ts'

/**
 * Whether DuckDB 1.5 says that a Parquet file is truncated, missing or corrupt. Disk faults are
 * handled elsewhere.
 */
export const isUnreadable = (cause: unknown): boolean =>
  cause instanceof Error &&
  findDiskFault(cause) === undefined &&
  unreadableMessages.some((message) => message.test(cause.message))

const unreadableMessages = [
  /Failed to read file|Decompression failure|magic bytes|TProtocol/i,
  /Parquet file|IO Error|No files found|Out of buffer/i,
]
