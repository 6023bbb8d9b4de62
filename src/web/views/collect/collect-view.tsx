import { FileSearch } from 'lucide'
import { useMemo } from 'preact/hooks'
import { useQueueAnswers, withFinalAnswers } from '../../collect/queue-answers.ts'
import { callsQuery, threadsQuery } from '../../collect/row-sources.ts'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { Page } from '../../page/page.tsx'
import { keptCalls } from '../../state/collected-calls.ts'
import { queuePath, viewPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { canWrite } from '../../state/session.ts'
import { collectText } from '../../text/collect.ts'
import { collectUrl } from './collect-url.ts'
import { Collecting } from './collecting.tsx'

/** Makes rows of a dataset from calls, or from whole threads. */
export default function CollectView() {
  const projectId = useProject()
  const { ids: named, set, by, queue } = collectUrl.values.value
  const settled = useQueueAnswers(projectId, queue)
  const ids = settled.calls ? [...settled.calls.keys()] : named.length > 0 ? named : set === '' ? [] : keptCalls(set)
  const asStored = useQuery(callsQuery(projectId, ids))
  const data = useMemo(() => withFinalAnswers(asStored.data, settled.calls), [asStored.data, settled.calls])
  const calls = { ...asStored, data }
  const threadIds = [...new Set(calls.data?.flatMap(({ threadId }) => threadId ?? []))]
  const threads = useQuery(threadsQuery(projectId, by === 'thread' ? threadIds : []))
  const isByThread = by === 'thread' && threadIds.length > 0
  const sources = isByThread ? threads : calls
  const back =
    queue === ''
      ? { href: viewPath(projectId, 'calls'), label: collectText.back }
      : { href: queuePath(projectId, queue), label: settled.name }
  if (ids.length > 0 && canWrite.value && sources.data !== undefined && sources.data.length > 0) {
    return (
      <Collecting
        key={by}
        projectId={projectId}
        back={back}
        sources={sources.data}
        asked={isByThread ? threadIds.length : ids.length}
        callCount={ids.length}
        hasThreads={queue === '' && threadIds.length > 0}
      />
    )
  }
  const failed = settled.error ?? calls.error ?? (isByThread ? threads.error : null)
  return (
    <Page name={collectText.title} title={collectText.title} back={back}>
      {failed ? (
        <ErrorState error={failed} retry={() => void (calls.error ? calls : threads).refetch()} />
      ) : !settled.isReading && (!canWrite.value || ids.length === 0 || sources.data !== undefined) ? (
        <EmptyState
          icon={FileSearch}
          title={canWrite.value ? collectText.none : collectText.readOnly}
          action={<a href={back.href}>{collectText.openCalls}</a>}
        >
          {sources.data !== undefined && ids.length > 0 ? collectText.gone(ids.length) : collectText.noneReason}
        </EmptyState>
      ) : (
        <LoadingRows columns="1fr 640px" rows={14} height={36} what={collectText.reading} />
      )}
    </Page>
  )
}
