import { FileSearch } from 'lucide'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { viewPath } from '../../state/paths.ts'
import { reviewText } from '../../text/review.ts'

/** What a page says instead of a queue that is gone. */
export const MissingQueue = ({ projectId }: { projectId: string }) => (
  <EmptyState
    icon={FileSearch}
    title={reviewText.noQueue}
    action={<a href={viewPath(projectId, 'queues')}>{reviewText.openList}</a>}
  >
    {reviewText.noQueueReason}
  </EmptyState>
)
