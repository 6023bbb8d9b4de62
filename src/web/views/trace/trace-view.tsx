import { ChartNoAxesGantt } from 'lucide'
import { useRoute } from 'preact-iso'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { Page } from '../../page/page.tsx'
import { useProject } from '../../state/project.ts'
import { traceText } from '../../text/trace.ts'
import { useTrace } from '../../trace/use-trace.ts'
import { LoadedTrace } from './loaded-trace.tsx'

/** A trace: its tree, waterfall, ops and flame graph, and the call that is open. */
function TracePage({ projectId, traceId }: { projectId: string; traceId: string }) {
  const trace = useTrace(projectId, traceId)
  const skeleton = trace.data?.skeleton
  if (trace.error && !skeleton) {
    return (
      <Page name={traceId}>
        <ErrorState error={trace.error} retry={() => void trace.refetch()} />
      </Page>
    )
  }
  if (!skeleton) {
    return (
      <Page name={traceId}>
        <LoadingRows columns="314px 56px 1fr" rows={20} height={26} what={traceText.reading} />
      </Page>
    )
  }
  if (skeleton.size === 0) {
    return (
      <Page name={traceId}>
        <EmptyState icon={ChartNoAxesGantt} title={traceText.noTrace}>
          {traceText.noTraceReason(traceId)}
        </EmptyState>
      </Page>
    )
  }
  return <LoadedTrace key={traceId} projectId={projectId} skeleton={skeleton} trace={trace} />
}

/** A trace, with one of its calls open. */
export default function TraceView() {
  const { params } = useRoute()
  return <TracePage projectId={useProject()} traceId={params['trace'] ?? ''} />
}
