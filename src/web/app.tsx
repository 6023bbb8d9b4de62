import './style/style.css'
import { render } from 'preact'
import { LocationProvider } from 'preact-iso'
import { watchServer } from './api/outage.ts'
import { root, sharedLink } from './base.ts'
import { lazyPart } from './components/states/lazy-part.tsx'
import { App } from './shell/app.tsx'
import { partsOfFirstDrawing } from './state/first-drawing.ts'
import { repairPath, watchLinks } from './state/location.ts'
import { startPreferences } from './state/preferences.ts'
import { loadSession, watchSession } from './state/session.ts'
import { prepareView } from './views/routes.tsx'

const SharedView = lazyPart(() => import('./views/shared/shared-view.tsx'), { loading: () => null })

/** A page without its session or the script of its view is drawn after this time. */
const firstDrawMs = 50

const element = document.getElementById('app')
startPreferences()
watchServer()
if (sharedLink !== undefined) {
  // Without the router: whoever has a read-only link goes nowhere else.
  if (element) render(<SharedView />, element)
} else {
  repairPath()
  watchSession()
  watchLinks(`${root}/`)
  // Asked before anything is drawn: every view waits for the answer.
  const firstSession = loadSession()
  // If one of them fails, it fails again where it is shown, which says so.
  const ready = Promise.allSettled([firstSession, prepareView(location.pathname)]).then(partsOfFirstDrawing)
  // Drawn once, not first as a shape: docs/decisions/207-views-after-their-scripts.md.
  void Promise.race([ready, new Promise((resolve) => setTimeout(resolve, firstDrawMs))]).then(() => {
    if (element)
      render(
        <LocationProvider scope={`${root}/`}>
          <App firstSession={firstSession} />
        </LocationProvider>,
        element,
      )
  })
}
