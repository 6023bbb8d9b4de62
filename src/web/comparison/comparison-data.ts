import type { Static } from '@sinclair/typebox'
import type { ComparedRows, Comparison, EvalResults, ListedRun, RunList } from '../../domains/evaluations/index.ts'
import { post } from '../api/client.ts'
import { list, oneOf, text } from '../state/search-text.ts'
import { urlState } from '../state/url-state.ts'
import { cardsShown, marginOf } from './margin.ts'

/** Rows that are shown. */
export const shownChoices = ['all', 'changed', 'regressions', 'incomplete', 'disagreement'] as const
/** Orders of the rows. */
export const orders = ['row', 'loss', 'gain', 'difference', 'value'] as const

/** Everything that the page of a comparison keeps in its address. */
export const comparisonSchema = {
  /** Places in the order of the letters; an empty one is free. */
  runs: list(),
  base: text(),
  scores: list(),
  /** `<score>=<size>`. */
  same: list(),
  low: list(),
  axis: oneOf(['cost', 'latency']),
  by: text(),
  show: oneOf(shownChoices),
  sort: oneOf(orders),
  in: text(),
  f: text(),
  slice: text(),
  diff: oneOf(['on', 'off']),
  open: text(),
}

/** The address of the page of a comparison. */
export const comparisonUrl = urlState(comparisonSchema)

/** At most so many runs are compared. */
const runsMax = 20

/** A run of the address, with its letter. */
export interface LetteredRun {
  readonly id: string
  /** From 0. */
  readonly place: number
}

/** The runs that an address names, each once. */
export const runsOf = (places: readonly string[]): readonly LetteredRun[] =>
  places
    .map((id, place) => ({ id, place }))
    .filter(({ id, place }) => id !== '' && places.indexOf(id) === place)
    .slice(0, runsMax)

/** What the rows of a comparison are asked by. */
export interface RowsAsked {
  readonly projectId: string
  readonly ids: readonly string[]
  readonly baseline: string
  readonly score: string | undefined
  readonly margin: number | undefined
  readonly lowerIsBetter: boolean
  readonly show: (typeof shownChoices)[number]
  readonly sort: (typeof orders)[number]
  readonly sortRun: string | undefined
  readonly query: unknown
  readonly sliceBy: string | undefined
  /** States of the runs: with others, rows are read again. */
  readonly stamp: string
}

const liveMs = 2_000

/** Rows of one page. */
export const pageRows = 100

const viewKey = ({ projectId, ids, stamp }: Pick<RowsAsked, 'projectId' | 'ids' | 'stamp'>): string =>
  JSON.stringify([projectId, ids, stamp])

/** The view that the server keeps of some runs, by `viewKey`. */
const viewsOfRuns = new Map<string, string>()

/** Reads a page of rows. @throws {Problem} */
export async function readRows(
  asked: RowsAsked,
  page: number,
  signal?: AbortSignal,
  limit = pageRows,
): Promise<ComparedRows> {
  const { projectId, ids, baseline, score, margin, lowerIsBetter, show, sort, sortRun, query, sliceBy } = asked
  const key = viewKey(asked)
  const answer = await post<ComparedRows>(
    '/evaluations/compare_rows',
    {
      project_id: projectId,
      evaluation_call_ids: ids,
      baseline,
      score,
      margin,
      lower_is_better: lowerIsBetter,
      show,
      sort,
      sort_run: sortRun,
      query,
      slice_by: page === 0 ? sliceBy : undefined,
      offset: page * limit,
      limit,
      view: viewsOfRuns.get(key),
    },
    { signal },
  )
  viewsOfRuns.set(key, answer.view)
  return answer
}

/** Reads a page of rows. */
export const rowsQuery = (asked: RowsAsked, page: number) => ({
  queryKey: ['compared rows', asked, page],
  enabled: asked.ids.length > 1,
  queryFn: ({ signal }: { signal: AbortSignal }) => readRows(asked, page, signal),
})

/** What the verdicts of a comparison are asked by. */
export interface VerdictsAsked {
  readonly projectId: string
  readonly ids: readonly string[]
  readonly baseline: string
  readonly scores: readonly string[]
  readonly measures: readonly string[]
  readonly margins: Readonly<Record<string, number>>
  readonly lowerIsBetter: readonly string[]
  readonly stamp: string
}

/** Reads the scores with their intervals and verdicts. */
export const verdictsQuery = (asked: VerdictsAsked | undefined) => ({
  queryKey: ['comparison', asked],
  enabled: asked !== undefined,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Comparison> => {
    const { projectId, ids, baseline, scores, measures, margins, lowerIsBetter } = asked ?? nothing
    return await post<Comparison>(
      '/evaluations/compare',
      {
        project_id: projectId,
        evaluation_call_ids: ids,
        baseline,
        scores,
        measures,
        margins,
        lower_is_better: lowerIsBetter,
        include_measures: true,
        view: viewsOfRuns.get(viewKey(asked ?? nothing)),
      },
      { signal },
    )
  },
})

const nothing: VerdictsAsked = {
  projectId: '',
  ids: [],
  baseline: '',
  scores: [],
  measures: [],
  margins: {},
  lowerIsBetter: [],
  stamp: '',
}

/** A row with its trials in each run. */
export type RowDetails = Static<typeof EvalResults>['rows'][number]

/** Reads the outputs and all scores of one row. */
export const rowQuery = (projectId: string, ids: readonly string[], digest: string) => ({
  queryKey: ['compared row', projectId, ids, digest],
  enabled: digest !== '',
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<RowDetails | null> => {
    const body = {
      evaluation_call_ids: ids,
      include_raw_data_rows: true,
      resolve_row_refs: true,
      include_costs: true,
      filters: [{ query: { $expr: { $eq: [{ $getField: 'row_digest' }, { $literal: digest }] } } }],
      limit: 1,
    }
    const answer = await post<Static<typeof EvalResults>>(`/v2/${projectId}/eval_results/query`, body, { signal })
    return answer.rows[0] ?? null
  },
})

/** Reads what the list of runs says of those that are compared; it lacks runs that are gone. */
export const listedQuery = (projectId: string, ids: readonly string[]) => ({
  queryKey: ['evaluation runs', projectId, 'compared', ids],
  enabled: ids.length > 0,
  refetchInterval: ({ state }: { state: { data?: ReadonlyMap<string, ListedRun> | undefined } }) =>
    [...(state.data?.values() ?? [])].some((run) => run.state === 'running') ? liveMs : false,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ReadonlyMap<string, ListedRun>> => {
    const body = { project_id: projectId, evaluation_call_ids: ids, limit: runsMax }
    const { runs } = await post<RunList>('/evaluations/runs/query', body, { signal })
    return new Map(runs.map((run) => [run.evaluation_call_id, run]))
  },
})

/** Name and the beginning of the digest in a ref: `agent:3f2a`. */
export function refName(ref: unknown): string {
  const [, name = '', digest = ''] = /\/(?:object|op)\/([^:/]+):([^/]*)/.exec(typeof ref === 'string' ? ref : '') ?? []
  let shown = name
  try {
    shown = decodeURIComponent(name)
  } catch {
    // A name with a percent sign of its own is shown as it is.
  }
  return digest === '' ? shown : `${shown}:${digest.slice(0, 6)}`
}

/** A score or measure that can be shown. */
export interface ScoreChoice {
  readonly score: string
  readonly kind: 'rate' | 'mean'
}

/** The scores of the address that exist; the first few without one. */
export function chosenOf(choices: readonly ScoreChoice[], wanted: readonly string[], own: number): readonly string[] {
  const known = wanted.filter((score) => choices.some((choice) => choice.score === score))
  return known.length > 0 ? known : choices.slice(0, Math.min(own, cardsShown)).map(({ score }) => score)
}

/** What the verdicts on the chosen scores are asked by. */
export function verdictsAsked({
  projectId,
  ids,
  baseline,
  chosen,
  values,
  rows,
  stamp,
}: {
  readonly projectId: string
  readonly ids: readonly string[]
  readonly baseline: string
  readonly chosen: readonly string[]
  readonly values: typeof comparisonUrl.values.value
  readonly rows: ComparedRows
  readonly stamp: string
}): VerdictsAsked {
  const own = rows.scores.filter(({ score }) => chosen.includes(score))
  const measures = chosen.filter(
    (score) => (score === 'cost' || score === 'latency') && !rows.scores.some((each) => each.score === score),
  )
  const named = [...own, ...measures.map((score) => ({ score, kind: 'mean' as const }))]
  return {
    projectId,
    ids,
    baseline,
    stamp,
    scores: own.map(({ score }) => score),
    measures,
    margins: Object.fromEntries(named.map(({ score, kind }) => [score, marginOf(score, kind, values.same)])),
    lowerIsBetter: values.low.filter((score) => own.some((each) => each.score === score)),
  }
}
