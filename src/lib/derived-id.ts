import { v5 as uuid } from 'uuid'

/**
 * Deterministic id of something created by a job, so that a resumed job overwrites its earlier
 * results instead of duplicating them (UUIDv5, RFC 9562).
 *
 * @param jobId a UUID
 */
export const derivedId = (jobId: string, ...parts: readonly (string | number)[]): string =>
  uuid(parts.join('\n'), jobId)
