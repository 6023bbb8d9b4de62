import type { JudgeCheck, JudgeCheckFigures, JudgedTrial, RunList } from '../../domains/evaluations/index.ts'
import { post } from '../api/client.ts'
import { list, oneOf, text } from '../state/search-text.ts'
import { urlState } from '../state/url-state.ts'
import { idOf, type LabelChoice, likelyHuman, likelyJudge, readingIn, sourceIn } from './sources.ts'

export type { JudgeCheck, JudgeCheckFigures, JudgedTrial }

/** Which trials the page lists. */
export const shownChoices = ['disagreements', 'pairs', 'only_judge', 'only_human', 'unlabelled'] as const

/** Everything that the page keeps in its address. */
export const checkUrl = urlState({
  runs: list(),
  judge: text(),
  human: text(),
  judge_as: text(),
  human_as: text(),
  show: oneOf(shownChoices),
  /** Classes of the people and of the judge. */
  cell: list(),
})

/** What is compared. */
export interface Sides {
  readonly judge: object
  readonly human: object
}

type Address = typeof checkUrl.values.value

/** The choices of the address, or those that are most likely. */
export function chosen({ judge, human }: Address, choices: readonly LabelChoice[]) {
  const of = (id: string, likely: LabelChoice | undefined): string => {
    if (sourceIn(id) !== undefined) return id
    return likely === undefined ? '' : idOf(likely)
  }
  return { judge: of(judge, likelyJudge(choices)), human: of(human, likelyHuman(choices)) }
}

/** What a request says of both sides; undefined while one is missing or cannot be read. */
export function sidesOf(
  ids: { readonly judge: string; readonly human: string },
  { judge_as, human_as }: Address,
): Sides | undefined {
  const [judge, human] = [sourceIn(ids.judge), sourceIn(ids.human)]
  const [judgeReading, humanReading] = [readingIn(judge_as), readingIn(human_as)]
  if (judge === undefined || human === undefined || judgeReading === undefined || humanReading === undefined)
    return undefined
  return { judge: { ...judge, ...judgeReading }, human: { ...human, ...humanReading } }
}

/** Reads which runs these are. */
export const namedRunsQuery = (projectId: string, runs: readonly string[]) => ({
  queryKey: ['evaluation runs', projectId, runs],
  enabled: runs.length > 0,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<RunList> =>
    post('/evaluations/runs/query', { project_id: projectId, evaluation_call_ids: runs }, { signal }),
})

/** Reads what the runs have that may be labels. */
export const choicesQuery = (projectId: string, runs: readonly string[]) => ({
  queryKey: ['judge check', projectId, runs],
  enabled: runs.length > 0,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<JudgeCheck> =>
    post('/evaluations/judge_check', { project_id: projectId, evaluation_call_ids: runs, limit: 0 }, { signal }),
})

const pageTrials = 50

/** A request for trials of a check. */
interface TrialsAsked extends Sides {
  readonly runs: readonly string[]
  readonly show: (typeof shownChoices)[number]
  readonly cell: readonly string[]
}

/** Reads a page of trials, with the figures. @throws {Problem} */
export const readTrials = (
  projectId: string,
  { runs, judge, human, show, cell }: TrialsAsked,
  after: string | null,
  { signal, limit = pageTrials }: { readonly signal?: AbortSignal; readonly limit?: number } = {},
): Promise<JudgeCheck> => {
  const [humanClass, judgeClass] = cell
  const body = {
    project_id: projectId,
    evaluation_call_ids: runs,
    judge,
    human,
    show,
    cell: humanClass !== undefined && judgeClass !== undefined ? { human: humanClass, judge: judgeClass } : null,
    limit,
    after,
  }
  return post('/evaluations/judge_check', body, { signal })
}

/** Reads a check and its trials, page by page. */
export const checkQuery = (projectId: string, asked: TrialsAsked | undefined) => ({
  queryKey: ['judge check', projectId, asked] as const,
  enabled: asked !== undefined,
  placeholderData: (before: unknown) => before as never,
  initialPageParam: null as string | null,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    readTrials(projectId, asked as TrialsAsked, pageParam, { signal }),
  getNextPageParam: ({ trials }: JudgeCheck) => trials.next ?? undefined,
})
