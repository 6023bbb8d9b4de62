import { Route, Router } from 'preact-iso'
import { exec } from 'preact-iso/router'
import { root } from '../base.ts'
import { lazyPart } from '../parts/lazy-part.ts'
import { NotFound } from './not-found/not-found-view.tsx'

const Login = lazyPart(() => import('./login/login-view.tsx'))
const Projects = lazyPart(() => import('./projects/projects-view.tsx'))
const Settings = lazyPart(() => import('./settings/settings-view.tsx'))
const Start = lazyPart(() => import('./start/start-view.tsx'))
const Traces = lazyPart(() => import('./traces/traces-view.tsx'))
const Calls = lazyPart(() => import('./calls/calls-view.tsx'))
const Trace = lazyPart(() => import('./trace/trace-view.tsx'))
const Call = lazyPart(() => import('./call/call-view.tsx'))
const Compare = lazyPart(() => import('./compare/compare-view.tsx'))
const Threads = lazyPart(() => import('./threads/threads-view.tsx'))
const Thread = lazyPart(() => import('./thread/thread-view.tsx'))
const Live = lazyPart(() => import('./live/live-view.tsx'))
const ObjectPage = lazyPart(() => import('./object/object-view.tsx'))
const Dashboards = lazyPart(() => import('./dashboards/dashboards-view.tsx'))

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
