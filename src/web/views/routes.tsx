import { lazy, Route, Router } from 'preact-iso'
import { exec } from 'preact-iso/router'
import { root } from '../base.ts'
import { NotFound } from './not-found/not-found-view.tsx'

const Login = lazy(() => import('./login/login-view.tsx'))
const Projects = lazy(() => import('./projects/projects-view.tsx'))
const Settings = lazy(() => import('./settings/settings-view.tsx'))
const Start = lazy(() => import('./start/start-view.tsx'))
const Traces = lazy(() => import('./traces/traces-view.tsx'))
const Calls = lazy(() => import('./calls/calls-view.tsx'))
const Trace = lazy(() => import('./trace/trace-view.tsx'))
const Call = lazy(() => import('./call/call-view.tsx'))
const Compare = lazy(() => import('./compare/compare-view.tsx'))
const Threads = lazy(() => import('./threads/threads-view.tsx'))
const Thread = lazy(() => import('./thread/thread-view.tsx'))
const Live = lazy(() => import('./live/live-view.tsx'))
const ObjectPage = lazy(() => import('./object/object-view.tsx'))
const Dashboards = lazy(() => import('./dashboards/dashboards-view.tsx'))

const project = `${root}/:entity/:project`

/** Which view an address shows: the first that matches. It is loaded when it is first opened. */
const views = [
  [`${root}/`, Projects],
  [`${root}/login`, Login],
  [`${root}/settings/:section?`, Settings],
  [project, Traces],
  [`${project}/start`, Start],
  [`${project}/traces`, Traces],
  [`${project}/calls`, Calls],
  [`${project}/trace/:trace`, Trace],
  [`${project}/call/:call`, Call],
  [`${project}/compare`, Compare],
  [`${project}/threads`, Threads],
  [`${project}/thread/:thread`, Thread],
  [`${project}/object/:object/:version?`, ObjectPage],
  [`${project}/live`, Live],
  [`${project}/dashboards/:dashboard?`, Dashboards],
] as const

/** The view of the current address. */
export const Routes = () => (
  <Router>
    {views.map(([path, component]) => (
      <Route key={path} path={path} component={component} />
    ))}
    <Route default component={NotFound} />
  </Router>
)

/** Begins to load the view of an address, while something else is waited for. */
export function loadView(address: string): void {
  const found = views.find(([path]) => exec(address, path))
  // If it fails, it fails again where it is shown, which says so.
  found?.[1].preload().catch(() => {})
}
