import { v5 as uuid } from 'uuid'

/**
 * The id of something that a job makes: the same each time the job runs, so that a job that was broken off writes over what it did, and
 * nothing twice (UUIDv5, RFC 9562).
 *
 * @param jobId a UUID
 */
export const derivedId = (jobId: string, ...parts: readonly (string | number)[]): string =>
  uuid(parts.join('\n'), jobId)
