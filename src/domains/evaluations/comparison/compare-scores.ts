import { operationLimits } from '../../../lib/limits/operations.ts'
import { itemAt } from '../../../lib/present.ts'
import type { ComparedScore, Difference, ScoreOfRun, Verdict } from '../model/comparison.ts'
import {
  type BootstrapOptions,
  type DifferenceTest,
  type Resampled,
  resample,
  resampledDifference,
  resampledMean,
} from './bootstrap.ts'
import { type Interval, wilsonInterval } from './intervals.ts'
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
  const resampling = new Resampling(options.resamples)
  const planned = scores.map((score) => ({
    score,
    planned: score.runs.map((run) => ({
      own: scoreOf(score, run, resampling),
      difference: run === score.baseline ? null : differenceOf(score, run, resampling),
    })),
  }))
  await resample(resampling.series, options)
  const tested: { difference: Tested; score: ScoreValues }[] = []
  const compared: (() => ComparedScore)[] = []
  for (const { score, planned: ofRuns } of planned) {
    const runs = ofRuns.map(({ own, difference }) => ({ own: own(), difference: difference?.() ?? null }))
    for (const { difference } of runs) {
      if (difference !== null && difference.p_value !== null) tested.push({ difference, score })
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

/** The series that are resampled, to be resampled together. */
class Resampling {
  readonly series: Resampled<unknown>[] = []
  private readonly resamples: number

  constructor(resamples: number) {
    this.resamples = resamples
  }

  /** Read the result once they are resampled. */
  meanOf(values: Float64Array): () => Interval {
    const resampled = resampledMean(values, this.resamples)
    this.series.push(resampled)
    return () => resampled.result()
  }

  differenceOf(differences: Float64Array): () => DifferenceTest {
    const test = resampledDifference(differences, this.resamples)
    if (!('take' in test)) return () => test
    this.series.push(test)
    return () => test.result()
  }
}

/** A difference before its p-value is corrected and a verdict is given. */
type Tested = Omit<Difference, 'verdict'>

function differenceOf({ isRate, baseline }: ScoreValues, run: RunValues, resampling: Resampling): () => Tested {
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
    return () => ({ pairs, value, low: null, high: null, ...counts, test: null, p_value: null, p_corrected: null })
  }
  const test = resampling.differenceOf(Float64Array.from(differences))
  return () => {
    const { interval, pValue } = test()
    return {
      pairs,
      value: differences.reduce((sum, each) => sum + each, 0) / pairs,
      ...interval,
      ...counts,
      test: isBinary ? 'mcnemar' : 'bootstrap',
      p_value: isBinary ? mcnemarPValue(gained, lost) : pValue,
      p_corrected: null,
    }
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

function scoreOf(
  { isRate }: ScoreValues,
  { evaluationId, values, trials, failed }: RunValues,
  resampling: Resampling,
): () => Omit<ScoreOfRun, 'difference'> {
  const scored = values.filter((value) => !Number.isNaN(value))
  const count = { unscored: 0, failed: 0, missing: 0 }
  for (const [row, value] of values.entries()) {
    if (!Number.isNaN(value)) continue
    const ofRow = itemAt(trials, row)
    count[ofRow === 0 ? 'missing' : ofRow === itemAt(failed, row) ? 'failed' : 'unscored']++
  }
  const sum = scored.reduce((total, value) => total + value, 0)
  const isBinary = isRate && scored.every(isWhole)
  const resampled = !isBinary && scored.length > 1 ? resampling.meanOf(scored) : undefined
  return () => {
    const interval = isBinary && scored.length > 0 ? wilsonInterval(sum, scored.length) : resampled?.()
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
}

/** As many resamples as a request may draw, at most those that are usual. */
export const resamplesFor = (rows: number, series: number): number =>
  Math.max(
    operationLimits.resamplesMin,
    Math.min(operationLimits.resamples, Math.floor(operationLimits.drawsMax / Math.max(1, rows * series))),
  )
