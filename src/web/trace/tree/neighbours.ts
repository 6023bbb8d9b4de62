import { postRows } from '../../api/lines.ts'
import { trailOf } from '../../state/trail.ts'

/**
 * The trace before or after another one: in the list it was opened from, else by time, newest
 * first. Undefined at the end.
 */
export async function neighbourOf(
  projectId: string,
  traceId: string,
  startedAt: number,
  step: 1 | -1,
): Promise<string | undefined> {
  const trail = trailOf(projectId, traceId)
  if (trail) return trail.traceIds[trail.traceIds.indexOf(traceId) + step]
  const field = { $getField: 'started_at' }
  const limit = { $literal: startedAt / 1_000 }
  const rows = await postRows<{ trace_id: string }>('/calls/stream_query', {
    project_id: projectId,
    filter: { trace_roots_only: true },
    query: { $expr: step === 1 ? { $lt: [field, limit] } : { $gt: [field, limit] } },
    sort_by: [{ field: 'started_at', direction: step === 1 ? 'desc' : 'asc' }],
    columns: ['id', 'trace_id'],
    limit: 2,
  })
  return rows.find(({ trace_id }) => trace_id !== traceId)?.trace_id
}
