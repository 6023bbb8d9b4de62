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

/** Address of the playground with a call, or with a version of a prompt. */
export const playgroundPath = (
  projectId: string,
  opened: { readonly call: string } | { readonly prompt: string; readonly version: string },
): string => `${projectPath(projectId)}/playground?${new URLSearchParams(opened)}`

/** Address of a queue. */
export const queuePath = (projectId: string, id: string): string =>
  `${projectPath(projectId)}/queue/${encodeURIComponent(id)}`

/** Address of a call by its id alone. */
export const callPath = (projectId: string, callId: string): string =>
  `${projectPath(projectId)}/call/${encodeURIComponent(callId)}`

/** Address of an evaluation run. */
export const runPath = (projectId: string, id: string): string =>
  `${projectPath(projectId)}/evaluations/${encodeURIComponent(id)}`

const projectPath = (projectId: string): string => `${root}/${projectId.split('/').map(encodeURIComponent).join('/')}`
