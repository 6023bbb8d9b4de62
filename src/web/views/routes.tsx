import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Route, Router, useLocation } from 'preact-iso'
import { exec } from 'preact-iso/router'
import { keysOf } from '../../lib/present.ts'
import { root } from '../base.ts'
import { LoadFailed } from '../components/display/load-failed.tsx'
import { lazyPart, type PartFailure } from '../components/states/lazy-part.tsx'
import { ViewSkeleton } from '../page/view-skeleton.tsx'
import { placeOf } from '../state/place.ts'
import { patternOf, type ViewName, views } from '../state/views.ts'
import { shellText } from '../text/shell.ts'
import { NotFound } from './not-found/not-found-view.tsx'

/** A view, which fills the page: a placeholder while its script is loaded. */
const lazyView = (load: () => Promise<{ readonly default: ComponentType<object> }>) =>
  lazyPart(load, {
    loading: () => <Loading />,
    failed: (failure, retry) => <Failed failure={failure} retry={retry} />,
  })

type LazyView = ReturnType<typeof lazyView>

const Traces = lazyView(() => import('./traces/traces-view.tsx'))

/** The script of each view of a project. */
const projectViews: Readonly<Record<ViewName, LazyView>> = {
  traces: Traces,
  calls: lazyView(() => import('./calls/calls-view.tsx')),
  trace: lazyView(() => import('./trace/trace-view.tsx')),
  call: lazyView(() => import('./call/call-view.tsx')),
  compare: lazyView(() => import('./compare/compare-view.tsx')),
  threads: lazyView(() => import('./threads/threads-view.tsx')),
  thread: lazyView(() => import('./thread/thread-view.tsx')),
  live: lazyView(() => import('./live/live-view.tsx')),
  dashboards: lazyView(() => import('./dashboards/dashboards-view.tsx')),
  'dashboard-list': lazyView(() => import('./dashboard-list/dashboard-list-view.tsx')),
  comparison: lazyView(() => import('./evaluation-compare/evaluation-compare-view.tsx')),
  leaderboards: lazyView(() => import('./leaderboards/leaderboards-view.tsx')),
  scorers: lazyView(() => import('./scorers/scorers-view.tsx')),
  judgeCheck: lazyView(() => import('./judge-check/judge-check-view.tsx')),
  datasets: lazyView(() => import('./datasets/datasets-view.tsx')),
  'dataset-import': lazyView(() => import('./dataset-import/dataset-import-view.tsx')),
  'calls-to-dataset': lazyView(() => import('./collect/collect-view.tsx')),
  prompts: lazyView(() => import('./prompts/prompts-view.tsx')),
  playground: lazyView(() => import('./playground/playground-view.tsx')),
  evaluations: lazyView(() => import('./evaluations/evaluations-view.tsx')),
  objects: lazyView(() => import('./objects/objects-view.tsx')),
  queues: lazyView(() => import('./queues/queues-view.tsx')),
  feedback: lazyView(() => import('./feedback/feedback-view.tsx')),
  queue: lazyView(() => import('./queue/queue-view.tsx')),
  start: lazyView(() => import('./start/start-view.tsx')),
  object: lazyView(() => import('./object/object-view.tsx')),
}

const project = `${root}/:entity/:project`

/** Which view an address shows: the first that matches. It is loaded when it is first opened. */
const routes: readonly (readonly [pattern: string, view: LazyView])[] = [
  [`${root}/`, lazyView(() => import('./projects/projects-view.tsx'))],
  [`${root}/login`, lazyView(() => import('./login/login-view.tsx'))],
  [`${root}/sql`, lazyView(() => import('./sql/sql-view.tsx'))],
  [`${root}/settings/:section?`, lazyView(() => import('./settings/settings-view.tsx'))],
  [project, Traces],
  ...keysOf(views).map((name) => [project + patternOf(name), projectViews[name]] as const),
]

/** The view of the current address; its shape until the session is known. */
export const Routes = ({ isReady }: { isReady: boolean }) =>
  isReady ? (
    <Router>
      {routes.map(([path, component]) => (
        <Route key={path} path={path} component={component} />
      ))}
      <Route default component={NotFound} />
    </Router>
  ) : (
    <Loading />
  )

/**
 * Begins to load the view of an address; undefined if it is loaded, or if there is none.
 * @throws {PartFailure} by its promise
 */
export function prepareView(address: string): Promise<void> | undefined {
  const view = routes.find(([path]) => exec(address, path))?.[1]
  return view && !view.isLoaded() ? view.load() : undefined
}

const Loading = () => <ViewSkeleton place={placeOf(useLocation().path)} />

/** A server that answers was upgraded: the page is loaded anew, with the scripts of today. */
function Failed({ failure, retry }: { failure: PartFailure; retry: () => void }) {
  const [isReloading, setReloading] = useState(failure.isMissing)
  useEffect(() => {
    if (failure.isMissing && !reloadOnce()) setReloading(false)
  }, [failure])
  return isReloading ? (
    <Loading />
  ) : (
    <LoadFailed title={shellText.notLoaded} isMissing={failure.isMissing} retry={retry} />
  )
}

/** Says, for this tab, when a missing part last made the page reload. */
const reloadedKey = 'tracelake.reloaded'
/** A part that is still missing this soon after a reload will not appear by reloading again. */
const reloadPauseMs = 60_000

/** Reloads the page, unless it was reloaded a moment ago. @returns whether it does */
function reloadOnce(): boolean {
  try {
    const now = Date.now()
    if (now - Number(sessionStorage.getItem(reloadedKey) ?? 0) < reloadPauseMs) return false
    sessionStorage.setItem(reloadedKey, String(now))
  } catch {
    return false // Without storage, reloading might never end.
  }
  location.reload()
  return true
}
