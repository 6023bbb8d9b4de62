import './style/style.css'
import { render } from 'preact'
import { LocationProvider } from 'preact-iso'
import { watchServer } from './api/outage.ts'
import { root } from './base.ts'
import { App } from './shell/app.tsx'
import { repairPath, watchLinks } from './state/location.ts'
import { startPreferences } from './state/preferences.ts'
import { loadSession, watchSession } from './state/session.ts'
import { prepareView } from './views/routes.tsx'

repairPath()
startPreferences()
watchSession()
watchServer()
watchLinks(`${root}/`)
// Asked before anything is drawn: every view waits for the answer.
const firstSession = loadSession()
// If it fails, it fails again where it is shown, which says so.
prepareView(location.pathname)?.catch(() => {})

const element = document.getElementById('app')
if (element) {
  render(
    <LocationProvider scope={`${root}/`}>
      <App firstSession={firstSession} />
    </LocationProvider>,
    element,
  )
}
