import type { Static } from '@sinclair/typebox'
import { DomainError } from '../../../lib/errors.ts'
import { limits } from '../../../lib/limits.ts'
import type { Caller } from '../../access/caller.ts'
import { RetentionPolicy, RetentionSet } from '../model/retention.ts'
import { readRetention } from './read-retention.ts'
import type { RetentionServices } from './services.ts'

export const setRetentionRoute = {
  body: RetentionSet,
  response: { 200: RetentionPolicy },
  detail: {
    operationId: 'retention.set',
    summary: 'Set the retention of a project',
    description:
      'Older calls, log records and metrics, with the feedback, queue items and files that belong to them, are ' +
      'erased within an hour. Requires an admin key.',
    tags: ['Retention'],
  },
}

export async function setRetention(
  services: RetentionServices,
  caller: Caller,
  { project_id, retention_days }: Static<typeof RetentionSet>,
): Promise<RetentionPolicy> {
  const writer = caller.administer(project_id)
  if (retention_days !== null && (retention_days < 1 || retention_days > limits.retentionDaysMax)) {
    throw new DomainError(
      'InvalidRequest',
      `\`retention_days\` must be between 1 and ${limits.retentionDaysMax}, or null, not ${retention_days}`,
    )
  }
  await services.retention.set(writer, retention_days ?? undefined, caller.userName)
  services.expiry.sweepSoon()
  return readRetention(services, caller, { project_id })
}
