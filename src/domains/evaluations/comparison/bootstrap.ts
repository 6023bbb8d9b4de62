import { itemAt } from '../../../lib/present.ts'
import { TimeSlice } from '../../../runtime/platform/event-loop.ts'
import { type Interval, percentileInterval } from './intervals.ts'
import { Random } from './random.ts'

export interface BootstrapOptions {
  /** How many times the values are drawn again, as many of them as there are. */
  readonly resamples: number
  readonly signal: AbortSignal
}

/** The same draws each time, so that a comparison can be repeated. */
const seed = 20_260_101
/** Relative size of what only rounding makes of equal numbers. */
const rounding = 1e-12

/** Values to be resampled, and what becomes of the resamples. */
export interface Resampled<T> {
  /** From their mean, so that squares of large values do not swallow small differences. */
  readonly centered: Float64Array
  /** Takes the sum and the sum of squares of a resample of these. */
  take(index: number, sum: number, squares: number): void
  /** What the resamples say, once all have been taken. */
  result(): T
}

/** The percentile bootstrap interval of the mean of some values. */
export function resampledMean(values: Float64Array, resamples: number): Resampled<Interval> {
  const means = new Float64Array(resamples)
  const { mean: center } = momentsOf(values)
  return {
    centered: values.map((value) => value - center),
    take: (index, sum) => {
      means[index] = center + sum / values.length
    },
    result: () => percentileInterval(means),
  }
}

/** The same, computed by itself. @throws when the signal aborts */
export async function meanInterval(values: Float64Array, options: BootstrapOptions): Promise<Interval> {
  const resampled = resampledMean(values, options.resamples)
  await resample([resampled], options)
  return resampled.result()
}

/** What the bootstrap says of the mean of paired differences. */
export interface DifferenceTest {
  readonly interval: Interval
  /** That a mean as far from 0 comes about by chance, on either side. */
  readonly pValue: number
}

/**
 * The percentile interval of the mean of paired differences, and its two-sided p-value: the share
 * of resamples whose Student's t, measured from the mean of the differences themselves, is as large
 * as theirs, measured from 0 (Efron and Tibshirani 1993, algorithm 16.2, for one sample).
 *
 * @param differences at least 2
 * @returns the test itself if all differences are equal, but for rounding: no resample differs then
 */
export function resampledDifference(
  differences: Float64Array,
  resamples: number,
): Resampled<DifferenceTest> | DifferenceTest {
  const count = differences.length
  const { mean: center, deviation } = momentsOf(differences)
  if (deviation <= Math.abs(center) * rounding)
    return { interval: { low: center, high: center }, pValue: center === 0 ? 1 : 2 ** (1 - count) }
  const root = Math.sqrt(count)
  const found = Math.abs(center / (deviation / root))
  const means = new Float64Array(resamples)
  let asFar = 0
  return {
    centered: differences.map((value) => value - center),
    take: (index, sum, squares) => {
      const mean = sum / count
      means[index] = center + mean
      const drawnDeviation = Math.sqrt(Math.max(0, squares - sum * mean) / (count - 1))
      // A hair less, so that rounding does not separate equal ones.
      if (Math.abs(center + mean - center) * root >= found * drawnDeviation * (1 - rounding)) asFar++
    },
    result: () => ({ interval: percentileInterval(means), pValue: (asFar + 1) / (resamples + 1) }),
  }
}

/** The same, computed by itself. @throws when the signal aborts */
export async function testDifference(differences: Float64Array, options: BootstrapOptions): Promise<DifferenceTest> {
  const test = resampledDifference(differences, options.resamples)
  if (!('take' in test)) return test
  await resample([test], options)
  return test.result()
}

/**
 * Resamples series of values. Those of the same length are drawn at the same places, as they would
 * be if each were drawn by itself.
 *
 * @throws when the signal aborts
 */
export async function resample(
  series: readonly Resampled<unknown>[],
  { resamples, signal }: BootstrapOptions,
): Promise<void> {
  const slice = new TimeSlice()
  const sums = new Float64Array(2)
  for (const [count, group] of Map.groupBy(series, ({ centered }) => centered.length)) {
    const random = new Random(seed)
    const weights = new Float64Array(count)
    for (let index = 0; index < resamples; index++) {
      random.draw(weights)
      for (const each of group) {
        weightedSums(each.centered, weights, sums)
        each.take(index, itemAt(sums, 0), itemAt(sums, 1))
        if (!slice.expiredNow) continue
        await slice.yield()
        signal.throwIfAborted()
      }
    }
  }
}

/** Sums of values and of their squares, each as often as its place was drawn. */
function weightedSums(values: Float64Array, weights: Float64Array, sums: Float64Array): void {
  const count = values.length
  const paired = count - (count % 2)
  let sum = 0
  let sum2 = 0
  let squares = 0
  let squares2 = 0
  // Two at a time, which a processor adds in parallel. A large comparison takes a billion steps;
  // the indices are always inside.
  for (let at = 0; at < paired; at += 2) {
    const value = values[at] as number
    const value2 = values[at + 1] as number
    const weighted = value * (weights[at] as number)
    const weighted2 = value2 * (weights[at + 1] as number)
    sum += weighted
    sum2 += weighted2
    squares += weighted * value
    squares2 += weighted2 * value2
  }
  if (paired < count) {
    const value = values[paired] as number
    const weighted = value * (weights[paired] as number)
    sum += weighted
    squares += weighted * value
  }
  sums[0] = sum + sum2
  sums[1] = squares + squares2
}

function momentsOf(values: Float64Array): { mean: number; deviation: number } {
  let sum = 0
  for (const value of values) sum += value
  const mean = sum / values.length
  let squares = 0
  for (const value of values) squares += (value - mean) ** 2
  return { mean, deviation: Math.sqrt(squares / (values.length - 1)) }
}
