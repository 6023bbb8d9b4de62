import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { itemAt, valueAt } from '../../../lib/present.ts'
import type { PriceBook } from '../../costs/index.ts'
import type { EvalResultsEvaluationSummary, EvalResultsScorerStats, EvalResultsSummary } from '../model/eval-results.ts'
import type { KeptTrials, TrialScope } from '../plan/plan.ts'
import {
  keptTrialsStatement,
  keysStatement,
  type LeafSource,
  leafStatisticsStatement,
  trialCountsStatement,
} from '../sql/leaves.ts'
import { tokensStatement, typedTokensStatement, type UsageOptions, usageStatement } from '../sql/token-sums.ts'
import type { Compared } from './trials.ts'

/**
 * Statistics of the scalars at one path of a JSON column, over the kept trials of one evaluation.
 */
export interface LeafStatistics {
  readonly evaluationId: string
  readonly path: readonly string[]
  readonly numberCount: number
  readonly numberSum: number
  readonly trueCount: number
  readonly truthCount: number
  readonly textCount: number
}

/**
 * Statistics of all paths that hold a number, boolean or string in any trial, ordered by path.
 * Arrays are skipped.
 *
 * @returns `isCut`: there were more paths than the limit
 */
export async function readLeaves(
  snapshot: Snapshot,
  table: string,
  source: LeafSource,
): Promise<{ leaves: LeafStatistics[]; isCut: boolean }> {
  const { paths, isCut } = await findPaths(snapshot, table, source)
  if (paths.length === 0) return { leaves: [], isCut }
  const rows = await snapshot.rows(leafStatisticsStatement(table, source, paths))
  const leaves = rows.map(({ place, evaluation, ...statistics }) => ({
    evaluationId: evaluation,
    path: itemAt(paths, place),
    ...statistics,
  }))
  return { leaves, isCut }
}

/** All paths to members, level by level: each level queries the keys of the one above. */
export async function findPaths(
  snapshot: Snapshot,
  table: string,
  source: LeafSource,
): Promise<{ paths: string[][]; isCut: boolean }> {
  const found: string[][] = []
  let level: string[][] = [[]]
  for (let depth = 0; depth < operationLimits.scoreDepthMax && level.length > 0; depth++) {
    const parents = level
    const rows = await snapshot.rows(keysStatement(table, source, parents))
    level = rows.map(({ place, key }) => [...itemAt(parents, place), key])
    if (found.length + level.length > operationLimits.scorePathsMax) {
      return { paths: [...found, ...level].slice(0, operationLimits.scorePathsMax), isCut: true }
    }
    found.push(...level)
  }
  return { paths: found, isCut: level.length > 0 }
}

export interface SummaryOptions {
  /** With all scores and tokens. */
  readonly trials: KeptTrials
  readonly requireIntersection: boolean
  readonly children: boolean
  /** Undefined if costs are not requested. */
  readonly prices: PriceBook | undefined
}

const scoredTable = 'kept_trials'

/** Statistics of each evaluation that has trials, in the order of the request, with warnings. */
export async function summarize(
  snapshot: Snapshot,
  { roots, scope, models }: Compared,
  { trials, requireIntersection, children, prices }: SummaryOptions,
): Promise<{ summary: EvalResultsSummary; warnings: string[] }> {
  const which = { models, children, requireIntersection }
  const isWhole = !trials.late && !requireIntersection
  const table = isWhole ? trials.table : scoredTable
  if (!isWhole) {
    const kept = keptTrialsStatement(scope, trials, { models, requireIntersection })
    await snapshot.createTempTable(table, kept)
  }
  const trialCounts = new Map(
    (await snapshot.rows(trialCountsStatement(table))).map(({ evaluation, count }) => [evaluation, count]),
  )
  const rowCount = valueAt(trialCounts, null)
  const { leaves, isCut } = await readLeaves(snapshot, table, 'scores')
  const byEvaluation = Map.groupBy(leaves, ({ evaluationId }) => evaluationId)
  const tokens = await sumTokens(snapshot, { table, scope, which })
  const costs = new Map<string, number>()
  if (prices !== undefined) {
    await snapshot.forEachChunk(usageStatement(scope, which), ({ evaluation, usage, startedAt }) => {
      for (const [index, id] of evaluation.entries()) {
        const cost = prices.totalCost(itemAt(usage, index), itemAt(startedAt, index))
        if (cost !== undefined) costs.set(id, (costs.get(id) ?? 0) + cost)
      }
    })
  }
  const evaluations = roots.flatMap((root): EvalResultsEvaluationSummary[] => {
    const trialCount = trialCounts.get(root.id)
    if (trialCount === undefined) return []
    return [
      {
        evaluation_call_id: root.id,
        trial_count: trialCount,
        scorer_stats: (byEvaluation.get(root.id) ?? []).map((leaf) => statsOf(leaf, trialCount)),
        predict_total_tokens: tokens.get(root.id) ?? null,
        predict_total_cost: costs.get(root.id) ?? null,
        evaluation_ref: root.evaluationRef,
        model_ref: root.modelRef,
        display_name: root.displayName,
        trace_id: root.traceId,
        started_at: root.startedAt,
      },
    ]
  })
  const warnings = isCut ? ['The scores have too many distinct paths; some are missing from the summary'] : []
  return { summary: { row_count: rowCount, evaluations }, warnings }
}

/** Tokens by evaluation; from call summaries only if the typed columns are incomplete. */
async function sumTokens(
  snapshot: Snapshot,
  { table, scope, which }: { table: string; scope: TrialScope; which: UsageOptions },
): Promise<Map<string, number | null>> {
  const typed = await snapshot.rows(typedTokensStatement(scope, table, which))
  const sums = typed.every(({ isUnsure }) => isUnsure === 0)
    ? typed
    : await snapshot.rows(tokensStatement(scope, which))
  return new Map(sums.map(({ evaluation, tokens }) => [evaluation, tokens]))
}

function statsOf(leaf: LeafStatistics, trialCount: number): EvalResultsScorerStats {
  const { path, numberCount, numberSum, trueCount, truthCount, textCount } = leaf
  const inside = path.slice(1)
  // For mixed types, those that can be averaged take precedence.
  const type = truthCount > numberCount ? 'binary' : numberCount > 0 ? 'continuous' : textCount > 0 ? 'text' : null
  return {
    scorer_key: itemAt(path, 0),
    path: inside.length === 0 ? null : inside.join('.'),
    value_type: type,
    trial_count: trialCount,
    numeric_count: numberCount,
    numeric_mean: numberCount === 0 ? null : numberSum / numberCount,
    pass_true_count: trueCount,
    pass_known_count: truthCount,
    pass_rate: truthCount === 0 ? null : trueCount / truthCount,
    pass_signal_coverage: truthCount === 0 ? null : truthCount / trialCount,
  }
}
