import { RotateCw, Unplug } from 'lucide'
import { partsText } from '../../text/parts.ts'
import { Button } from '../controls/button.tsx'
import { EmptyState } from '../states/empty-state.tsx'

interface LoadFailedProps {
  /** Whether the server no longer has the script; else it does not answer. */
  readonly isMissing: boolean
  readonly retry: () => void
  readonly title?: string
}

/** Stands where a script could not be loaded, and offers what helps. */
export const LoadFailed = ({ isMissing, retry, title = partsText.notLoaded }: LoadFailedProps) => (
  <EmptyState
    icon={isMissing ? RotateCw : Unplug}
    tone="error"
    title={title}
    action={
      isMissing ? (
        <Button onClick={() => location.reload()}>{partsText.reload}</Button>
      ) : (
        <Button onClick={retry}>{partsText.tryAgain}</Button>
      )
    }
  >
    {isMissing ? partsText.notLoadedMissing : partsText.notLoadedSilent}
  </EmptyState>
)
