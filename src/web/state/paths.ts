import { root } from '../base.ts'
import type { ProjectView } from './views.ts'

/** Address of the list of projects. */
export const homePath = `${root}/`

/** Address of the login page. */
export const loginPath = `${root}/login`

/** Address that leads to the OpenID provider. @param next page to open afterwards */
export const providerPath = (next: string): string => `${root}/oidc/start?next=${encodeURIComponent(next)}`

/**
 * Address of the SQL console.
 * @param statement in the fragment, which no server sees; it is not run by itself
 */
export const sqlPath = (statement?: string): string =>
  statement === undefined ? `${root}/sql` : `${root}/sql#${new URLSearchParams({ q: statement })}`

/** Address of a page of the settings. */
export const settingsPath = (section: string): string =>
  section === '' ? `${root}/settings` : `${root}/settings/${section}`

/** Address of a view of a project. @param search search part, with its question mark */
export const viewPath = (projectId: string, view: ProjectView, search = ''): string =>
  `${projectPath(projectId)}/${view}${search}`

/** Address of a saved dashboard, or of the overview. */
export const dashboardPath = (projectId: string, id: string | undefined, search: string): string =>
  `${projectPath(projectId)}/dashboards${id === undefined ? '' : `/${encodeURIComponent(id)}`}${search}`

/** Address of a dashboard that is being edited. */
export const editedDashboardPath = (projectId: string, id: string): string => dashboardPath(projectId, id, '?edit=1')

/** Address of a trace, with a call of it open if `callId` is given. */
export function tracePath(projectId: string, traceId: string, callId?: string): string {
  const search = callId === undefined ? '' : `?call=${encodeURIComponent(callId)}`
  return `${projectPath(projectId)}/trace/${encodeURIComponent(traceId)}${search}`
}

/** Address of a thread. */
export const threadPath = (projectId: string, threadId: string): string =>
  `${projectPath(projectId)}/thread/${encodeURIComponent(threadId)}`

/** Address of a version of an object or op; of the latest one without a digest. */
export const objectPath = (projectId: string, name: string, digest?: string): string => {
  const version = digest === undefined ? '' : `/${encodeURIComponent(digest)}`
  return `${projectPath(projectId)}/object/${encodeURIComponent(name)}${version}`
}

/** Address of a version of a prompt; of the latest one without a digest. */
export const promptPath = (projectId: string, name: string, digest?: string): string => {
  const version = digest === undefined ? '' : `/${encodeURIComponent(digest)}`
  return `${projectPath(projectId)}/prompts/${encodeURIComponent(name)}${version}`
}

/** Address of a version of a dataset; of the latest one without a digest. */
export const datasetPath = (projectId: string, name: string, digest?: string): string => {
  const version = digest === undefined ? '' : `/${encodeURIComponent(digest)}`
  return `${projectPath(projectId)}/datasets/${encodeURIComponent(name)}${version}`
}

/** Address of the page that imports a file, into a dataset if it is named. */
export const importPath = (projectId: string, into?: string): string =>
  `${projectPath(projectId)}/dataset-import${into === undefined ? '' : `?${new URLSearchParams({ into })}`}`

/** Address of the playground with a call, or with a version of a prompt. */
export const playgroundPath = (
  projectId: string,
  opened: { readonly call: string } | { readonly prompt: string; readonly version: string },
): string => `${projectPath(projectId)}/playground?${new URLSearchParams(opened)}`

/** Address of the list of evaluation runs. */
export const evaluationsPath = (projectId: string): string => `${projectPath(projectId)}/evaluations`

/** Address of the comparison of runs. @param search search part, with its question mark */
export const comparisonPath = (projectId: string, search: string): string =>
  `${projectPath(projectId)}/evaluations/compare${search}`

/** Address of a leaderboard, or of its version; of the list without a name. */
export function leaderboardPath(projectId: string, name?: string, version?: string): string {
  const parts = [name, version].flatMap((part) => (part === undefined ? [] : [`/${encodeURIComponent(part)}`]))
  return `${projectPath(projectId)}/leaderboards${parts.join('')}`
}

/** Address of a scorer, or of its version; of the list without a name. */
export function scorerPath(projectId: string, name?: string, version?: string): string {
  const parts = [name, version].flatMap((part) => (part === undefined ? [] : [`/${encodeURIComponent(part)}`]))
  return `${projectPath(projectId)}/scorers${parts.join('')}`
}

/** Address of the dialog that makes a scorer. */
export const newScorerPath = (projectId: string): string =>
  `${scorerPath(projectId)}?${new URLSearchParams({ new: '1' })}`

/** Address of the dialog that makes a leaderboard. @param evaluation that it begins with, if any */
export const newLeaderboardPath = (projectId: string, evaluation: string): string =>
  `${leaderboardPath(projectId)}?${new URLSearchParams({ new: '1', ...(evaluation !== '' && { evaluation }) })}`

/** Address of a queue. */
export const queuePath = (projectId: string, id: string): string =>
  `${projectPath(projectId)}/queue/${encodeURIComponent(id)}`

/**
 * Address of the page that compares the judge of runs with people.
 *
 * @param human labels of people, as the page keeps them in its address
 */
export function judgeCheckPath(projectId: string, runs: readonly string[], human?: string): string {
  const search = new URLSearchParams({ runs: runs.join(','), ...(human && { human }) })
  return `${projectPath(projectId)}/evaluations/judge?${search}`
}

/** Address of the page on which a queue is reviewed. */
export const reviewPath = (projectId: string, id: string): string => `${queuePath(projectId, id)}/work`

/** Address of the page that decides where reviewers disagree. @param item that it begins with */
export const adjudicatePath = (projectId: string, id: string, item?: string): string =>
  `${queuePath(projectId, id)}/adjudicate${item === undefined ? '' : `?${new URLSearchParams({ item })}`}`

/** Address of the page that makes rows of a dataset of the final answers of a queue. */
export const queueToDatasetPath = (projectId: string, queue: string): string =>
  viewPath(projectId, 'calls-to-dataset', `?${new URLSearchParams({ queue })}`)

/** Address of a call by its id alone. */
export const callPath = (projectId: string, callId: string): string =>
  `${projectPath(projectId)}/call/${encodeURIComponent(callId)}`

/** Address of an evaluation run. */
export const runPath = (projectId: string, id: string): string =>
  `${projectPath(projectId)}/evaluations/${encodeURIComponent(id)}`

const projectPath = (projectId: string): string => `${root}/${projectId.split('/').map(encodeURIComponent).join('/')}`
