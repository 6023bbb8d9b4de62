import type { ComponentChildren } from 'preact'
import { Toasts } from '../parts/toasts.tsx'
import { TooltipLayer } from '../parts/tooltip-layer.tsx'
import { usePlace } from '../state/use-place.ts'
import { shellText } from '../text/shell.ts'
import css from './frame.module.css'
import { Overlays } from './overlays.tsx'
import { Rail } from './rail.tsx'
import { TopBar } from './top-bar.tsx'
import { useShellKeys } from './use-shell-keys.ts'

/** Top bar, rail, and the view beside it. */
export function Frame({ children }: { children: ComponentChildren }) {
  const place = usePlace()
  useShellKeys(place.projectId)
  const isBare = place.view === 'login'
  return (
    <div class={css.frame}>
      <a class="skip-link" href="#main">
        {shellText.skip}
      </a>
      {!isBare && <TopBar place={place} />}
      {!isBare && place.projectId !== undefined && <Rail projectId={place.projectId} view={place.view} />}
      <main id="main" class={css.main} tabIndex={-1}>
        {children}
      </main>
      {!isBare && <Overlays projectId={place.projectId} />}
      <Toasts />
      <TooltipLayer />
    </div>
  )
}
