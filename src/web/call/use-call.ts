import { postRows } from '../api/lines.ts'
import { useQuery } from '../state/query-signal.ts'

/** The small members of a call; payloads are read by themselves. */
export interface CallFacts {
  readonly id: string
  readonly trace_id: string
  readonly op_name: string
  readonly display_name: string | null
  readonly exception: string | null
  readonly thread_id: string | null
  readonly turn_id: string | null
  readonly started_at: string
  readonly ended_at: string | null
  readonly ext_user_id: string | null
  readonly ext_run_id: string | null
}

const columns = [
  'id',
  'trace_id',
  'op_name',
  'display_name',
  'exception',
  'thread_id',
  'turn_id',
  'started_at',
  'ended_at',
  'ext_user_id',
  'ext_run_id',
]

/** Reads the small members of a call; null if there is no such call. */
export function useCall(projectId: string, callId: string, isRunning: boolean) {
  return useQuery<CallFacts | null>({
    queryKey: ['call', projectId, callId, isRunning],
    queryFn: async ({ signal }) => {
      const body = { project_id: projectId, filter: { call_ids: [callId] }, columns }
      return (await postRows<CallFacts>('/calls/stream_query', body, { signal }))[0] ?? null
    },
    gcTime: 60_000,
  })
}
