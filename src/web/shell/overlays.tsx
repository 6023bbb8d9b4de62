import { ErrorBoundary } from 'preact-iso'
import { Guard } from '../parts/guard.tsx'
import { lazyPart } from '../parts/lazy-part.ts'
import { keysShown, palette } from '../state/palette.ts'

const PaletteView = lazyPart(() => import('../palette/palette-view.tsx'))
const KeysView = lazyPart(() => import('../palette/keys-view.tsx'))

/** What opens over any page; loaded when it is first needed. */
export const Overlays = ({ projectId }: { projectId: string | undefined }) => (
  <Guard instead={() => null}>
    <ErrorBoundary>
      {palette.value && <PaletteView projectId={projectId} />}
      {keysShown.value && <KeysView />}
    </ErrorBoundary>
  </Guard>
)
