import type { Static } from '@sinclair/typebox'
import { formatTime } from '../../../lib/time.ts'
import type { Caller } from '../../access/caller.ts'
import { RetentionPolicy, RetentionRead } from '../model/retention.ts'
import type { RetentionServices } from './services.ts'

export const readRetentionRoute = {
  body: RetentionRead,
  response: { 200: RetentionPolicy },
  detail: {
    operationId: 'retention.read',
    readOnly: true,
    summary: 'Get the retention of a project',
    tags: ['Retention'],
  },
}

export const readRetention = (
  { retention }: RetentionServices,
  caller: Caller,
  { project_id }: Static<typeof RetentionRead>,
): RetentionPolicy => {
  const policy = retention.find(caller.read(project_id))
  return {
    project_id,
    retention_days: policy?.days ?? null,
    updated_at: policy === undefined ? null : formatTime(policy.changedAt),
    ext_user_id: policy?.changedBy ?? null,
    ext_username: policy?.changedByName ?? null,
  }
}
