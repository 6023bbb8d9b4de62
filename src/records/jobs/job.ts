import type { Cell, Row } from '../../kernel/table.ts'
import { jobCell, jobsPartition, jobsTable } from '../../tables/jobs-table.ts'

/** `waiting` covers running: after a stop of the server both begin again. The other three are final. */
export type JobState = 'waiting' | 'completed' | 'failed' | 'cancelled'

/** Work that goes on after its request was answered. Times are microseconds since 1970. */
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
}

/** Columns that `jobOf` reads, in its order. */
export const jobColumns = [
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
] as const

export function jobOf(cells: readonly Cell[]): Job {
  const [id, projectId, kind, request, state, attempts, error, userId, userName, createdAt] = cells
  return {
    id: id as string,
    projectId: projectId as string,
    kind: kind as string,
    request: JSON.parse(request as string),
    state: state as JobState,
    attempts: attempts as number,
    error: error as string | null,
    userId: userId as string,
    userName: userName as string,
    createdAt: createdAt as number,
  }
}

export function jobRow(job: Job, updatedAtMicros: number): Row {
  const row: Row = new Array<Cell>(jobsTable.columns.length).fill(null)
  const cells: Record<string, Cell> = {
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
  }
  for (const [name, cell] of Object.entries(cells)) row[jobCell(name)] = cell
  return row
}
