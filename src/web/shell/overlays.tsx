import { useEffect } from 'preact/hooks'
import { Guard } from '../components/states/guard.tsx'
import { lazyPart } from '../components/states/lazy-part.tsx'
import { keysShown, palette } from '../state/palette.ts'
import { showToast } from '../state/toasts.ts'
import { shellText } from '../text/shell.ts'

const instead = { loading: () => null, failed: () => <NotOpened /> }

const PaletteView = lazyPart(() => import('../palette/palette-view.tsx'), instead)
const KeysView = lazyPart(() => import('../palette/keys-view.tsx'), instead)

/** What opens over any page; loaded when it is first needed. */
export const Overlays = ({ projectId }: { projectId: string | undefined }) => (
  <Guard instead={() => null}>
    {palette.value && <PaletteView projectId={projectId} />}
    {keysShown.value && <KeysView />}
  </Guard>
)

/** What could not be loaded closes, so that it can be opened again. */
function NotOpened() {
  useEffect(() => {
    palette.value = undefined
    keysShown.value = false
    showToast({ kind: 'error', text: shellText.notOpened('') })
  }, [])
  return null
}
