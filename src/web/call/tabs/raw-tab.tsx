import { postRaw } from '../../api/client.ts'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { JsonView } from '../../json/json-view.tsx'
import { useQuery } from '../../state/query-signal.ts'
import { callText } from '../../text/trace/call.ts'

/** Everything stored about a call except its payloads, which have tabs of their own. */
const columns = [
  'id',
  'trace_id',
  'parent_id',
  'op_name',
  'display_name',
  'thread_id',
  'turn_id',
  'started_at',
  'ended_at',
  'exception',
  'summary',
  'ext_user_id',
  'ext_run_id',
  'ext_run_step',
  'ext_run_step_end',
]

/** The line that the API gives for a call, to the letter. */
export default function RawTab({ projectId, callId }: { projectId: string; callId: string }) {
  const raw = useQuery<string>({
    queryKey: ['raw', projectId, callId],
    queryFn: async ({ signal }) => {
      const body = {
        project_id: projectId,
        filter: { call_ids: [callId] },
        columns,
        omit_null: true,
        include_costs: true,
      }
      const headers = { accept: 'application/jsonl' }
      return (await (await postRaw('/calls/stream_query', body, { signal, headers })).text()).trim()
    },
  })
  if (raw.error && !raw.data) return <ErrorState error={raw.error} retry={() => void raw.refetch()} />
  if (raw.data === undefined) return <LoadingRows columns="40px 1fr" rows={8} height={20} />
  return <JsonView text={raw.data || 'null'} name={callText.raw} />
}
