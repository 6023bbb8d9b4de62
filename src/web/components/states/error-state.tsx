import { TriangleAlert } from 'lucide'
import { Problem } from '../../api/client.ts'
import { partsText } from '../../text/parts.ts'
import { Button } from '../controls/button.tsx'
import { EmptyState } from './empty-state.tsx'

/** Shown in place of content that could not be read, with the server's error message. */
export const ErrorState = ({ error, title = partsText.notRead, retry }: ErrorStateProps) => (
  <EmptyState
    icon={TriangleAlert}
    tone="error"
    title={title}
    action={retry && <Button onClick={retry}>{partsText.tryAgain}</Button>}
  >
    {error instanceof Problem || error instanceof Error ? error.message : String(error)}
  </EmptyState>
)

interface ErrorStateProps {
  readonly error: unknown
  readonly title?: string
  readonly retry?: () => void
}
