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

/** Reads what comparisons say of the newest versions of a prompt. @returns by digest */
export const verdictsQuery = (projectId: string, name: string, versions: readonly ObjectVersion[]) => {
  const live = versionWithAlias(versions, production)
  return {
    queryKey: ['evaluation runs', projectId, 'verdicts', name, versions[0]?.digest, live?.digest],
    enabled: versions.length > 1,
    staleTime: 60_000,
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ReadonlyMap<string, VersionVerdict>> => {
      const body = { project_id: projectId, search: `${name}:v`, states: ['done', 'at_limit'], limit: runsMax }
      const { runs } = await post<RunList>('/evaluations/runs/query', body, { signal })
      const ofPrompt = runs.filter(({ prompt }) => prompt?.name === name)
      const found = new Map<string, VersionVerdict>()
      for (const { digest, version_index: index } of versions.slice(0, versionsMax)) {
        const pair = comparedRuns(ofPrompt, index, live?.version_index)
        if (pair !== undefined) found.set(digest, await compared(projectId, pair, signal))
      }
      return found
    },
  }
}

/** Two runs on the same rows with the same model. */
interface RunPair {
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
  const ids = [pair.base.evaluation_call_id, pair.run.evaluation_call_id]
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
