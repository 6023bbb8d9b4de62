import './style/style.css'
import { render } from 'preact'
import { LocationProvider } from 'preact-iso'
import { root } from './base.ts'
import { App } from './shell/app.tsx'
import { startPreferences } from './state/preferences.ts'
import { watchSession } from './state/session.ts'
import { loadView } from './views/routes.tsx'

startPreferences()
watchSession()
loadView(location.pathname)

const element = document.getElementById('app')
if (element) {
  render(
    <LocationProvider scope={`${root}/`}>
      <App />
    </LocationProvider>,
    element,
  )
}
