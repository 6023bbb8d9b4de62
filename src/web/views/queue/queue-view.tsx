import { ListChecks } from 'lucide'
import { useRoute } from 'preact-iso'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { Page } from '../../page/page.tsx'
import { assignedNames, isForMe, queueQuery } from '../../review/queues.ts'
import { queuePath, viewPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { canWrite } from '../../state/session.ts'
import { reviewText } from '../../text/review.ts'
import { reviewFormText } from '../../text/review-form.ts'
import { MissingQueue } from './missing-queue.tsx'

const QueuePage = lazyPart(() => import('./queue-page.tsx'))
const WorkPage = lazyPart(() => import('./work-page.tsx'))
const AdjudicatePage = lazyPart(() => import('./adjudicate-page.tsx'))

/** A queue: its items, and what can be done with it. */
export default function QueueView() {
  const projectId = useProject()
  const { queue: id = '', part } = useRoute().params
  return part === 'work' || part === 'adjudicate' ? (
    <Work key={id} projectId={projectId} id={id} part={part} />
  ) : (
    <QueuePage key={id} projectId={projectId} id={id} />
  )
}

/** The page on which the queue is reviewed or decided, once the queue has been read. */
function Work({ projectId, id, part }: { projectId: string; id: string; part: 'work' | 'adjudicate' }) {
  const { data, error, refetch } = useQuery(queueQuery(projectId, id))
  if (data && part === 'adjudicate') return <AdjudicatePage projectId={projectId} queue={data} />
  const isAssigned = data != null && isForMe(data)
  if (data && canWrite.value && isAssigned) return <WorkPage projectId={projectId} queue={data} />
  return (
    <Page
      name={data?.name ?? reviewText.title}
      title={data?.name ?? reviewText.title}
      back={{ href: viewPath(projectId, 'queues'), label: reviewText.title }}
    >
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingRows columns="2fr 1fr" rows={10} height={64} what={reviewText.readingOne} />
      ) : data === null ? (
        <MissingQueue projectId={projectId} />
      ) : (
        <EmptyState
          icon={ListChecks}
          title={isAssigned ? reviewText.readOnlyReview : reviewFormText.notForYou}
          action={<a href={queuePath(projectId, id)}>{reviewText.openQueue}</a>}
        >
          {!isAssigned && reviewFormText.forOnly(assignedNames(data))}
        </EmptyState>
      )}
    </Page>
  )
}
