import { FileSearch } from 'lucide'
import { useEffect } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { useCall } from '../../call/use-call.ts'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { Page } from '../../page/page.tsx'
import { navigate } from '../../state/location.ts'
import { tracePath, viewPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { callText } from '../../text/trace/call.ts'

/** A call by its id alone: leads to its trace. */
export default function CallView() {
  const { params } = useRoute()
  const projectId = useProject()
  const callId = params['call'] ?? ''
  const call = useCall(projectId, callId, false)
  const traceId = call.data?.trace_id
  useEffect(() => {
    if (traceId !== undefined) navigate(tracePath(projectId, traceId, callId), { replace: true })
  }, [traceId])
  return (
    <Page name={callId}>
      {call.error ? (
        <ErrorState error={call.error} retry={() => void call.refetch()} />
      ) : call.data === null ? (
        <EmptyState
          icon={FileSearch}
          title={callText.noCall}
          action={<a href={viewPath(projectId, 'calls')}>{callText.openList}</a>}
        >
          {callText.noCallReason(callId)}
        </EmptyState>
      ) : (
        <LoadingRows what={callText.reading} />
      )}
    </Page>
  )
}
