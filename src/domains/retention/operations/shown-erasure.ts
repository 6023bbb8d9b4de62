import { formatTime } from '../../../lib/time.ts'
import type { Erasure as ErasureAtWork } from '../erasures.ts'
import type { Erasure } from '../model/retention.ts'

/** An erasure as it is answered. */
export function shownErasure({ job, progress }: ErasureAtWork, erasedWithinMs: number): Erasure {
  const { state, updatedAt } = job
  const isRunning = state === 'waiting'
  const isDone = state === 'completed' && updatedAt !== undefined
  return {
    id: job.id,
    project_id: job.projectId,
    state: isRunning ? 'running' : state === 'completed' ? 'completed' : 'failed',
    error: job.error,
    rows: progress?.rows ?? null,
    table: (isRunning && progress?.table) || null,
    files_left: isRunning ? (progress?.filesLeft ?? null) : 0,
    requested_at: formatTime(job.createdAt),
    finished_at: isRunning || updatedAt === undefined ? null : formatTime(updatedAt),
    gone_at: isDone ? formatTime(updatedAt + erasedWithinMs * 1000) : null,
    ext_user_id: job.userId,
    ext_username: job.userName,
  }
}
