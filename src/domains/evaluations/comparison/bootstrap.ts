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

/** The percentile bootstrap interval of the mean of some values. @throws when the signal aborts */
export async function meanInterval(values: Float64Array, options: BootstrapOptions): Promise<Interval> {
  const means = new Float64Array(options.resamples)
  await resample(values, options, (index, mean) => {
    means[index] = mean
  })
  return percentileInterval(means)
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
 * @throws when the signal aborts
 */
export async function testDifference(differences: Float64Array, options: BootstrapOptions): Promise<DifferenceTest> {
  const count = differences.length
  const { mean, deviation } = momentsOf(differences)
  // All are equal, but for rounding: no resample differs, so that only their sign says something.
  if (deviation <= Math.abs(mean) * rounding)
    return { interval: { low: mean, high: mean }, pValue: mean === 0 ? 1 : 2 ** (1 - count) }
  const root = Math.sqrt(count)
  const found = Math.abs(mean / (deviation / root))
  const means = new Float64Array(options.resamples)
  let asFar = 0
  await resample(differences, options, (index, drawnMean, drawnDeviation) => {
    means[index] = drawnMean
    // A hair less, so that rounding does not separate equal ones.
    if (Math.abs(drawnMean - mean) * root >= found * drawnDeviation * (1 - rounding)) asFar++
  })
  return { interval: percentileInterval(means), pValue: (asFar + 1) / (options.resamples + 1) }
}

/** Calls `take` with the mean and the standard deviation of each resample. */
async function resample(
  values: Float64Array,
  { resamples, signal }: BootstrapOptions,
  take: (index: number, mean: number, deviation: number) => void,
): Promise<void> {
  const random = new Random(seed)
  const slice = new TimeSlice()
  const count = values.length
  // From their mean, so that squares of large values do not swallow small differences.
  const { mean: center } = momentsOf(values)
  const centered = values.map((value) => value - center)
  for (let index = 0; index < resamples; index++) {
    const { sum, squares } = random.drawSums(centered)
    const mean = sum / count
    take(index, center + mean, Math.sqrt(Math.max(0, squares - sum * mean) / (count - 1)))
    if (slice.expiredNow) {
      await slice.yield()
      signal.throwIfAborted()
    }
  }
}

function momentsOf(values: Float64Array): { mean: number; deviation: number } {
  let sum = 0
  for (const value of values) sum += value
  const mean = sum / values.length
  let squares = 0
  for (const value of values) squares += (value - mean) ** 2
  return { mean, deviation: Math.sqrt(squares / (values.length - 1)) }
}
