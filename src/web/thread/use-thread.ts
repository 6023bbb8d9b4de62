import { useEffect } from 'preact/hooks'
import { postRows } from '../api/lines.ts'
import { listen } from '../api/live.ts'
import { queries, useQuery } from '../state/query-signal.ts'
import type { ThreadCall } from './turns.ts'

/** Calls of a thread that are read, the latest ones. */
const callsMax = 5_000
const refreshMs = 700

const columns = [
  'id',
  'trace_id',
  'op_name',
  'display_name',
  'parent_id',
  'turn_id',
  'started_at',
  'ended_at',
  'exception',
  'summary',
]

/** The calls of a thread, oldest first, read again when the thread changes. */
export function useThread(projectId: string, threadId: string, isLive: boolean) {
  const queryKey = ['thread', projectId, threadId]
  const result = useQuery<readonly ThreadCall[]>({
    queryKey,
    queryFn: async ({ signal }) => {
      const calls = await postRows<ThreadCall>(
        '/calls/stream_query',
        {
          project_id: projectId,
          filter: { thread_ids: [threadId] },
          columns,
          include_costs: true,
          omit_null: true,
          sort_by: [{ field: 'started_at', direction: 'desc' }],
          limit: callsMax,
        },
        { signal },
      )
      return calls.reverse()
    },
    gcTime: 30_000,
  })
  useEffect(() => {
    if (!isLive) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void queries.invalidateQueries({ queryKey })
      }, refreshMs)
    }
    const stop = listen(projectId, { thread_id: threadId }, { call: later, gap: later })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [projectId, threadId, isLive])
  return result
}
