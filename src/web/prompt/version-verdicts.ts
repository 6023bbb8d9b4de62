import type { Comparison, ListedRun, RunList } from '../../domains/evaluations/index.ts'
import { post } from '../api/client.ts'
import { cardsShown, marginOf } from '../comparison/margin.ts'
import type { VerdictWord } from '../comparison/verdict.tsx'
import { comparisonPath } from '../state/judging-paths.ts'
import { type ObjectVersion, versionWithAlias } from '../versions/objects.ts'
import { production } from '../versions/tag.tsx'

/** What the latest comparison of a version with another one says. */
export interface VersionVerdict {
  /** Number of the other version. */
  readonly against: number
  readonly words: readonly { readonly score: string; readonly verdict: VerdictWord }[]
  /** Address of the comparison. */
  readonly href: string
}

/** Newest versions that have verdicts, and newest runs in which comparisons are looked for. */
const versionsMax = 8
const runsMax = 200

/** Reads the newest runs of a prompt. */
export const runsOfPromptQuery = (projectId: string, name: string) => ({
  queryKey: ['evaluation runs', projectId, 'of prompt', name],
  staleTime: 60_000,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly ListedRun[]> => {
    const body = { project_id: projectId, search: `${name}:v`, states: ['done', 'at_limit'], limit: runsMax }
    const { runs } = await post<RunList>('/evaluations/runs/query', body, { signal })
    return runs.filter(({ prompt }) => prompt?.name === name)
  },
})

/** The runs by which the newest versions of a prompt are compared, by digest. */
export function comparablePairs(
  runs: readonly ListedRun[],
  versions: readonly ObjectVersion[],
): ReadonlyMap<string, RunPair> {
  const live = versionWithAlias(versions, production)?.version_index
  return new Map(
    versions.slice(0, versionsMax).flatMap(({ digest, version_index: index }) => {
      const pair = comparedRuns(runs, index, live)
      return pair === undefined ? [] : [[digest, pair] as const]
    }),
  )
}

/** Reads what the comparisons of pairs say. @returns by digest */
export const verdictsQuery = (projectId: string, pairs: ReadonlyMap<string, RunPair>) => ({
  queryKey: ['evaluation runs', projectId, 'verdicts', [...pairs].map(([digest, pair]) => [digest, ...idsOf(pair)])],
  enabled: pairs.size > 0,
  staleTime: 60_000,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ReadonlyMap<string, VersionVerdict>> => {
    const found = new Map<string, VersionVerdict>()
    for (const [digest, pair] of pairs) found.set(digest, await compared(projectId, pair, signal))
    return found
  },
})

const idsOf = ({ base, run }: RunPair): string[] => [base.evaluation_call_id, run.evaluation_call_id]

/** Two runs on the same rows with the same model. */
export interface RunPair {
  readonly base: ListedRun
  readonly run: ListedRun
}

/**
 * The newest run of a version and one to compare it with: of the version before that has one, else
 * of production.
 * @param runs newest first
 */
function comparedRuns(runs: readonly ListedRun[], version: number, live: number | undefined): RunPair | undefined {
  const pairs = runs.flatMap((run) =>
    run.prompt?.version !== version
      ? []
      : runs.flatMap((base) => {
          const other = base.prompt?.version ?? version
          const isOlder = other < version || other === live
          return other !== version && isOlder && haveSameRows(run, base) ? [{ run, base }] : []
        }),
  )
  const rank = ({ base }: RunPair): number => {
    const other = base.prompt?.version ?? -1
    return other < version ? other : -1
  }
  // The first of equal rank is of the newest runs.
  return pairs.toSorted((a, b) => rank(b) - rank(a))[0]
}

const haveSameRows = (a: ListedRun, b: ListedRun): boolean =>
  a.dataset !== null &&
  a.dataset.ref === b.dataset?.ref &&
  a.llm === b.llm &&
  JSON.stringify(a.rows_chosen) === JSON.stringify(b.rows_chosen) &&
  scoresOf({ run: a, base: b }).length > 0

/** Scores of both runs: as many as the page of the comparison shows at first. */
const scoresOf = ({ run, base }: RunPair) =>
  run.scores.filter(({ score }) => base.scores.some((other) => other.score === score)).slice(0, cardsShown)

async function compared(projectId: string, pair: RunPair, signal: AbortSignal): Promise<VersionVerdict> {
  const scores = scoresOf(pair)
  const names = scores.map(({ score }) => score)
  const ids = idsOf(pair)
  const margins = Object.fromEntries(scores.map(({ score, kind }) => [score, marginOf(score, kind)]))
  const body = { project_id: projectId, evaluation_call_ids: ids, scores: names, margins }
  const comparison = await post<Comparison>('/evaluations/compare', body, { signal })
  const search = new URLSearchParams({ runs: ids.join(','), scores: names.join(',') })
  return {
    against: pair.base.prompt?.version ?? 0,
    words: comparison.scores.flatMap(({ score, runs }) => {
      const verdict = runs[1]?.difference?.verdict
      return verdict === undefined ? [] : [{ score, verdict }]
    }),
    href: comparisonPath(projectId, `?${search}`),
  }
}
