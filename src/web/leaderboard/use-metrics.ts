import { type ListedRun, runsQuery, scoreName } from '../evaluation/runs.ts'
import { useQuery } from '../state/query-signal.ts'
import { leaderboardText as words } from '../text/evaluation/leaderboard.ts'
import type { StoredColumn } from './leaderboards.ts'

/** A figure that can be chosen. */
export interface MetricChoice {
  /** Scorer and path, as one text. */
  readonly id: string
  readonly label: string
  readonly scorer: string
  readonly path: string
  readonly isLowBetter: boolean
}

/** An evaluation that has finished runs. */
export interface EvaluationChoice {
  readonly name: string
  /** Its versions with runs, the newest first: ref and words. */
  readonly versions: readonly { readonly ref: string; readonly label: string }[]
  readonly metrics: readonly MetricChoice[]
}

/** What leaderboards can show: the scores of finished runs, by evaluation. */
export function useMetrics(projectId: string) {
  const { data, error, refetch } = useQuery(runsQuery(projectId))
  const done = (data?.runs ?? []).filter(({ state }) => state === 'done')
  const evaluations = [...Map.groupBy(done, ({ evaluation }) => evaluation.name)].map(
    ([name, runs]): EvaluationChoice => ({ name, versions: versionsOf(runs), metrics: metricsOf(runs) }),
  )
  return {
    evaluations: evaluations.sort((a, b) => (a.name < b.name ? -1 : 1)),
    isRead: data !== undefined,
    error,
    refetch,
  }
}

function versionsOf(runs: readonly ListedRun[]): EvaluationChoice['versions'] {
  const stored = new Map(runs.map(({ evaluation }) => [evaluation.ref, evaluation]))
  return [...stored.values()]
    .sort((a, b) => (b.version ?? -1) - (a.version ?? -1))
    .map(({ ref, version }) => ({ ref, label: version === null ? (ref.split(':').at(-1) ?? ref) : `v${version}` }))
}

function metricsOf(runs: readonly ListedRun[]): readonly MetricChoice[] {
  const found = new Map<string, MetricChoice>()
  for (const { score, kind } of runs.flatMap(({ scores }) => scores)) {
    const [scorer = '', ...path] = score.split('.')
    const choice = choiceOf(scorer, [...path, kind === 'rate' ? 'true_fraction' : 'mean'].join('.'), scoreName(score))
    found.set(choice.id, choice)
  }
  const latency = { ...choiceOf('model_latency', 'mean', words.dialog.latency), isLowBetter: true }
  return [...found.values()].sort((a, b) => (a.label < b.label ? -1 : 1)).concat(latency)
}

/** A figure by scorer and path. */
export const choiceOf = (scorer: string, path: string, label: string): MetricChoice => ({
  id: `${scorer}\n${path}`,
  label,
  scorer,
  path,
  isLowBetter: false,
})

/** Name of the evaluation that a column is about. */
export const evaluationIn = ({ evaluation_object_ref: ref }: StoredColumn): string =>
  decodeURIComponent(ref.split('/').at(-1)?.split(':')[0] ?? '')

/** Whether runs of all versions count; older leaderboards say so in the ref alone. */
export const isOfEveryVersion = ({ all_versions: every, evaluation_object_ref: ref }: StoredColumn): boolean =>
  every === true || ref.endsWith(':*')
