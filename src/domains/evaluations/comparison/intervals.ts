/** An interval of confidence, both ends included. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** Confidence of every interval. */
export const confidence = 0.95
/** The quantile of the normal distribution that belongs to it, on both sides. */
export const z = 1.959963984540054

/**
 * Wilson's interval of a rate (Wilson 1927): `successes` of `count`. It stays within 0 and 1, and
 * has a width also where all or none succeed. @param count at least 1
 */
export function wilsonInterval(successes: number, count: number): Interval {
  const rate = successes / count
  const shrink = 1 + z ** 2 / count
  const middle = (rate + z ** 2 / (2 * count)) / shrink
  const half = (z / shrink) * Math.sqrt((rate * (1 - rate)) / count + z ** 2 / (4 * count ** 2))
  return {
    low: successes === 0 ? 0 : Math.max(0, middle - half),
    high: successes === count ? 1 : Math.min(1, middle + half),
  }
}

/** The middle share of `confidence` of some figures, which it sorts; linear between neighbours. */
export function percentileInterval(figures: Float64Array): Interval {
  figures.sort()
  const tail = (1 - confidence) / 2
  return { low: quantile(figures, tail), high: quantile(figures, 1 - tail) }
}

function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1)
  const below = Math.floor(at)
  const [from = Number.NaN, to = from] = sorted.subarray(below, below + 2)
  return from + (to - from) * (at - below)
}
