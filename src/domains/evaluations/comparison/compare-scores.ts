import { operationLimits } from '../../../lib/limits/operations.ts'
import { itemAt } from '../../../lib/present.ts'
import type { ComparedScore, Difference, ScoreOfRun, Verdict } from '../model/comparison.ts'
import { type BootstrapOptions, meanInterval, testDifference } from './bootstrap.ts'
import { wilsonInterval } from './intervals.ts'
import { holmPValues, mcnemarPValue } from './p-values.ts'

/** What one run has for one score. Rows have the same positions in all runs. */
export interface RunValues {
  readonly evaluationId: string
  /** By row: the mean of its trials; NaN without one. */
  readonly values: Float64Array
  /** By row: how many trials it has, and how many of them failed. */
  readonly trials: Uint32Array
  readonly failed: Uint32Array
}

/** One score of all compared runs. */
export interface ScoreValues {
  readonly score: string
  /** Whether all of its values are booleans. */
  readonly isRate: boolean
  readonly margin: number
  readonly lowerIsBetter: boolean
  readonly baseline: RunValues
  readonly runs: readonly RunValues[]
}

/** Corrected p-values below this are not put down to chance. */
const alpha = 0.05
/** With fewer pairs, no test can tell anything. */
const pairsMin = 5

/**
 * Compares the scores of runs with those of a baseline, row by row.
 *
 * @returns the scores, and how many tests their p-values are corrected for
 * @throws when the signal aborts
 */
export async function compareScores(
  scores: readonly ScoreValues[],
  options: BootstrapOptions,
): Promise<{ scores: ComparedScore[]; comparisons: number }> {
  const tested: { difference: Tested; score: ScoreValues }[] = []
  const compared: (() => ComparedScore)[] = []
  for (const score of scores) {
    const runs: { own: Omit<ScoreOfRun, 'difference'>; difference: Tested | null }[] = []
    for (const run of score.runs) {
      const difference = run === score.baseline ? null : await differenceOf(score, run, options)
      if (difference !== null && difference.p_value !== null) tested.push({ difference, score })
      runs.push({ own: await scoreOf(score, run, options), difference })
    }
    compared.push(() => ({
      score: score.score,
      kind: score.isRate ? 'rate' : 'mean',
      margin: score.margin,
      lower_is_better: score.lowerIsBetter,
      runs: runs.map(({ own, difference }) => ({
        ...own,
        difference: difference && { ...difference, verdict: verdictOf(difference, score) },
      })),
    }))
  }
  const corrected = holmPValues(tested.map(({ difference }) => difference.p_value ?? 1))
  for (const [index, { difference }] of tested.entries()) difference.p_corrected = itemAt(corrected, index)
  return { scores: compared.map((finish) => finish()), comparisons: tested.length }
}

/** A difference before its p-value is corrected and a verdict is given. */
type Tested = Omit<Difference, 'verdict'>

async function differenceOf(
  { isRate, baseline }: ScoreValues,
  run: RunValues,
  options: BootstrapOptions,
): Promise<Tested> {
  const differences: number[] = []
  let gained = 0
  let lost = 0
  let isBinary = isRate
  for (const [row, value] of run.values.entries()) {
    const before = itemAt(baseline.values, row)
    if (Number.isNaN(value) || Number.isNaN(before)) continue
    differences.push(value - before)
    if (value > before) gained++
    if (value < before) lost++
    isBinary &&= isWhole(value) && isWhole(before)
  }
  const pairs = differences.length
  const counts = isBinary ? { gained, lost } : { gained: null, lost: null }
  if (pairs < pairsMin) {
    const value = pairs === 0 ? null : differences.reduce((sum, each) => sum + each, 0) / pairs
    return { pairs, value, low: null, high: null, ...counts, test: null, p_value: null, p_corrected: null }
  }
  const array = Float64Array.from(differences)
  const { interval, pValue } = await testDifference(array, options)
  return {
    pairs,
    value: array.reduce((sum, each) => sum + each, 0) / pairs,
    ...interval,
    ...counts,
    test: isBinary ? 'mcnemar' : 'bootstrap',
    p_value: isBinary ? mcnemarPValue(gained, lost) : pValue,
    p_corrected: null,
  }
}

/** Whether all trials of a row passed, or all failed. */
const isWhole = (value: number): boolean => value === 0 || value === 1

function verdictOf({ value, low, high, p_corrected }: Tested, { margin, lowerIsBetter }: ScoreValues): Verdict {
  if (value === null || low === null || high === null || p_corrected === null) return 'cannot tell'
  if (low >= -margin && high <= margin) return 'same'
  if (p_corrected >= alpha || value === 0) return 'cannot tell'
  return value > 0 === lowerIsBetter ? 'worse' : 'better'
}

async function scoreOf(
  { isRate }: ScoreValues,
  { evaluationId, values, trials, failed }: RunValues,
  options: BootstrapOptions,
): Promise<Omit<ScoreOfRun, 'difference'>> {
  const scored = values.filter((value) => !Number.isNaN(value))
  const count = { unscored: 0, failed: 0, missing: 0 }
  for (const [row, value] of values.entries()) {
    if (!Number.isNaN(value)) continue
    const ofRow = itemAt(trials, row)
    count[ofRow === 0 ? 'missing' : ofRow === itemAt(failed, row) ? 'failed' : 'unscored']++
  }
  const sum = scored.reduce((total, value) => total + value, 0)
  const isBinary = isRate && scored.every(isWhole)
  const interval =
    scored.length === 0
      ? undefined
      : isBinary
        ? wilsonInterval(sum, scored.length)
        : scored.length === 1
          ? undefined
          : await meanInterval(scored, options)
  return {
    evaluation_call_id: evaluationId,
    value: scored.length === 0 ? null : sum / scored.length,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    interval: interval === undefined ? null : isBinary ? 'wilson' : 'bootstrap',
    scored_rows: scored.length,
    unscored_rows: count.unscored,
    failed_rows: count.failed,
    missing_rows: count.missing,
  }
}

/** As many resamples as a request may draw, at most those that are usual. */
export const resamplesFor = (rows: number, series: number): number =>
  Math.max(
    operationLimits.resamplesMin,
    Math.min(operationLimits.resamples, Math.floor(operationLimits.drawsMax / Math.max(1, rows * series))),
  )
