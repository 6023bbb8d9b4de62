import type { ComponentChildren } from 'preact'
import { Toasts } from '../components/overlays/toasts.tsx'
import { TooltipLayer } from '../components/overlays/tooltip-layer.tsx'
import { ViewSkeleton } from '../page/view-skeleton.tsx'
import { opening } from '../state/opening.ts'
import { usePlace } from '../state/use-place.ts'
import { shellText } from '../text/shell.ts'
import css from './frame.module.css'
import { OutageBanner } from './outage-banner.tsx'
import { Overlays } from './overlays.tsx'
import { Rail } from './rail.tsx'
import { TopBar } from './top-bar.tsx'
import { useShellKeys } from './use-shell-keys.ts'

/** Top bar, rail, and the view beside it. */
export function Frame({ children }: { children: ComponentChildren }) {
  const place = usePlace()
  useShellKeys(place.projectId)
  const isBare = place.view === 'login'
  const isOpening = opening.value !== undefined
  return (
    <div class={css.frame}>
      <a class="skip-link" href="#main">
        {shellText.skip}
      </a>
      {!isBare && <TopBar place={place} />}
      {!isBare && place.projectId !== undefined && <Rail projectId={place.projectId} view={place.view} />}
      <OutageBanner />
      <main id="main" class={css.main} tabIndex={-1}>
        <div class={css.view} inert={isOpening}>
          {children}
        </div>
        {isOpening && (
          <div class={css.opening}>
            <ViewSkeleton place={place} />
          </div>
        )}
      </main>
      {!isBare && <Overlays projectId={place.projectId} />}
      <Toasts />
      <TooltipLayer />
    </div>
  )
}
