import { postRows } from '../../api/lines.ts'
import type { LiveCall } from '../../api/live.ts'

/** How many of them are read. */
export const recentMax = 50

type Computed = Pick<LiveCall, 'status' | 'latency_ms' | 'error_inside'>
type Line = Omit<LiveCall, 'project_id' | keyof Computed> & { readonly summary?: { readonly ext?: Partial<Computed> } }

const columns = [
  'id',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'op_name',
  'display_name',
  'ext_user_id',
  'started_at',
  'ended_at',
  'exception',
  'summary',
]

/** The calls that started last, the newest first: what a tail shows before anything happens. */
export async function recentCalls(projectId: string, rootsOnly: boolean, signal: AbortSignal): Promise<LiveCall[]> {
  const body = {
    project_id: projectId,
    ...(rootsOnly && { filter: { trace_roots_only: true } }),
    sort_by: [{ field: 'started_at', direction: 'desc' }],
    columns,
    limit: recentMax,
  }
  const lines = await postRows<Line>('/calls/stream_query', body, { signal })
  return lines.map(({ summary, ...line }) => ({
    ...line,
    exception: line.exception ?? null,
    project_id: projectId,
    status: summary?.ext?.status ?? 'running',
    latency_ms: summary?.ext?.latency_ms ?? null,
    error_inside: summary?.ext?.error_inside ?? null,
  }))
}
