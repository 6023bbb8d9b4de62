import { queuePath, viewPath } from './paths.ts'

// Apart from the other addresses, which every page loads: few pages lead there.

/** Address of a scorer, or of its version; of the list without a name. */
export const scorerPath = (projectId: string, name?: string, version?: string): string =>
  [viewPath(projectId, 'scorers'), ...[name, version].flatMap((part) => part ?? []).map(encodeURIComponent)].join('/')

/** Address of the dialog that makes a scorer. */
export const newScorerPath = (projectId: string): string => viewPath(projectId, 'scorers', '?new=1')

/** Address of a leaderboard, or of its version; of the list without a name. */
export function leaderboardPath(projectId: string, name?: string, version?: string): string {
  const parts = [name, version].flatMap((part) => (part === undefined ? [] : [`/${encodeURIComponent(part)}`]))
  return `${viewPath(projectId, 'leaderboards')}${parts.join('')}`
}

/** Address of the dialog that makes a leaderboard. @param evaluation that it begins with, if any */
export const newLeaderboardPath = (projectId: string, evaluation: string): string =>
  `${leaderboardPath(projectId)}?${new URLSearchParams({ new: '1', ...(evaluation !== '' && { evaluation }) })}`

/**
 * Address of the page that compares the judge of runs with people.
 *
 * @param human labels of people, as the page keeps them in its address
 */
export function judgeCheckPath(projectId: string, runs: readonly string[], human?: string): string {
  const search = new URLSearchParams({ runs: runs.join(','), ...(human && { human }) })
  return viewPath(projectId, 'evaluations', `/judge?${search}`)
}

/** Address of the page that makes rows of a dataset of the final answers of a queue. */
export const queueToDatasetPath = (projectId: string, queue: string): string =>
  viewPath(projectId, 'calls-to-dataset', `?${new URLSearchParams({ queue })}`)

/** Address of the page that imports a file, into a dataset if it is named. */
export const importPath = (projectId: string, into?: string): string =>
  viewPath(projectId, 'dataset-import', into === undefined ? '' : `?${new URLSearchParams({ into })}`)

/** Address of the comparison of runs. @param search search part, with its question mark */
export const comparisonPath = (projectId: string, search: string): string =>
  viewPath(projectId, 'evaluations', `/compare${search}`)

/** Address of the page on which a queue is reviewed. */
export const reviewPath = (projectId: string, id: string): string => `${queuePath(projectId, id)}/work`

/** Address of the page that decides where reviewers disagree. @param item that it begins with */
export const adjudicatePath = (projectId: string, id: string, item?: string): string =>
  `${queuePath(projectId, id)}/adjudicate${item === undefined ? '' : `?${new URLSearchParams({ item })}`}`

/** Address of the list of evaluation runs. */
export const evaluationsPath = (projectId: string): string => viewPath(projectId, 'evaluations')
