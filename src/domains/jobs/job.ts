import { jobsPartition, jobsTable } from '../../engine/tables/jobs-table.ts'
import type { Row } from '../../lib/table.ts'

/** `waiting` includes running: after a server stop both start again. The other three are final. */
export type JobState = 'waiting' | 'completed' | 'failed' | 'cancelled'

/** Work that continues after its request was answered. Times are microseconds since 1970. */
export interface Job {
  readonly id: string
  readonly projectId: string
  readonly kind: string
  readonly request: unknown
  readonly state: JobState
  readonly attempts: number
  readonly error: string | null
  readonly userId: string
  readonly userName: string
  readonly createdAt: number
  /** When the state last changed; undefined for a job that is not stored yet. */
  readonly updatedAt?: number
}

export const jobCells = jobsTable.select(
  'id',
  'target_project_id',
  'kind',
  'request',
  'state',
  'attempts',
  'error',
  'ext_user_id',
  'ext_username',
  'created_at',
  'updated_at',
)

export const jobOf = (row: ReturnType<typeof jobCells.read>): Job => ({
  id: row.id,
  projectId: row.target_project_id,
  kind: row.kind,
  request: JSON.parse(row.request),
  state: row.state as JobState,
  attempts: row.attempts,
  error: row.error,
  userId: row.ext_user_id,
  userName: row.ext_username,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const jobRow = (job: Job, updatedAtMicros: number): Row =>
  jobsTable.row({
    project_id: jobsPartition,
    id: job.id,
    target_project_id: job.projectId,
    kind: job.kind,
    request: JSON.stringify(job.request),
    state: job.state,
    attempts: job.attempts,
    error: job.error,
    ext_user_id: job.userId,
    ext_username: job.userName,
    created_at: job.createdAt,
    updated_at: updatedAtMicros,
  })
