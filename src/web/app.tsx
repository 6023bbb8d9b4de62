import './style/style.css'
import { render } from 'preact'
import { LocationProvider } from 'preact-iso'
import { root } from './base.ts'
import { App } from './shell/app.tsx'
import { repairPath } from './state/location.ts'
import { startPreferences } from './state/preferences.ts'
import { loadSession, watchSession } from './state/session.ts'
import { loadView } from './views/routes.tsx'

repairPath()
startPreferences()
watchSession()
// Asked before anything is drawn: every view waits for the answer.
const firstSession = loadSession()
loadView(location.pathname)

const element = document.getElementById('app')
if (element) {
  render(
    <LocationProvider scope={`${root}/`}>
      <App firstSession={firstSession} />
    </LocationProvider>,
    element,
  )
}
