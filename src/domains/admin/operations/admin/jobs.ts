import type { Static } from '@sinclair/typebox'
import { limits } from '../../../../lib/limits.ts'
import { formatTime } from '../../../../lib/time.ts'
import type { Caller } from '../../../access/caller.ts'
import { JobList, JobsRequest } from '../../model/admin.ts'
import type { AdminServices } from '../services.ts'
import { forOperators, requireOperator } from './require-operator.ts'

export const queryJobsRoute = {
  body: JobsRequest,
  response: { 200: JobList },
  detail: {
    operationId: 'jobs.query',
    readOnly: true,
    summary: 'List evaluation and scoring jobs',
    description: `Jobs of all projects, or of one. ${forOperators}`,
    tags: ['Administration'],
  },
}

export async function queryJobs(
  { jobs }: AdminServices,
  caller: Caller,
  { project_id, states, limit: asked }: Static<typeof queryJobsRoute.body>,
): Promise<Static<typeof JobList>> {
  requireOperator(caller)
  const limit = asked ?? limits.jobsListedDefault
  const found = await jobs.list({ projectId: project_id ?? undefined, states: states ?? [], limit: limit + 1 })
  return {
    jobs: found.slice(0, limit).map((job) => ({
      id: job.id,
      project_id: job.projectId,
      kind: job.kind,
      state: job.state,
      attempts: job.attempts,
      error: job.error,
      ext_user_id: job.userId,
      ext_username: job.userName,
      created_at: formatTime(job.createdAt),
    })),
    has_more: found.length > limit,
    waiting: await jobs.countUndone(),
  }
}
