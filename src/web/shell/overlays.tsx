import { ErrorBoundary, lazy } from 'preact-iso'
import { keysShown, palette } from '../state/palette.ts'
import { showError } from '../state/undo.ts'

const PaletteView = lazy(() => import('../palette/palette-view.tsx'))
const KeysView = lazy(() => import('../palette/keys-view.tsx'))

/** What opens over any page; loaded when it is first needed. */
export const Overlays = ({ projectId }: { projectId: string | undefined }) => (
  <ErrorBoundary onError={showError}>
    {palette.value && <PaletteView projectId={projectId} />}
    {keysShown.value && <KeysView />}
  </ErrorBoundary>
)
