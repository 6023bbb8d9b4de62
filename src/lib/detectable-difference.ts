/** The error of the first kind that the tests of comparisons allow, on both sides. */
const alpha = 0.05
const zAlpha = 1.959963984540054
/** The quantile of the normal distribution that belongs to a power of 80 %. */
const zPower = 0.8416212335729143
const power = 0.8
/** Rows up to which the power of the exact test is computed, and not approximated. */
const exactRowsMax = 500
/** Share of the rows whose outcome two runs do not share, unless the difference needs more. */
const changedShare = 0.25

/**
 * The smallest difference between the pass rates of two runs over the same rows that McNemar's
 * exact test finds with a probability of 80 %, at 5 % on both sides and one trial a row. A quarter
 * of the rows is assumed to change its outcome; that is what runs of one task usually do.
 *
 * @returns a share, such as 0.18 for 18 points; undefined if the rows are too few for any
 */
export function detectableDifference(rows: number): number | undefined {
  if (rows > exactRowsMax) return approximated(rows)
  const logs = logFactorials(rows)
  const least = Array.from({ length: rows + 1 }, (_, changed) => leastFound(changed, logs))
  if (powerOf(rows, 1, least, logs) < power) return undefined
  let [low, high] = [0, 1]
  // The power grows with the difference.
  for (let step = 0; step < 14; step++) {
    const middle = (low + high) / 2
    if (powerOf(rows, middle, least, logs) < power) low = middle
    else high = middle
  }
  return high
}

/** Connett, Smith & McHugh (1987), solved for the difference. */
function approximated(rows: number): number {
  let [low, high] = [0, 1]
  for (let step = 0; step < 30; step++) {
    const difference = (low + high) / 2
    const changed = Math.max(changedShare, difference)
    const needed = (zAlpha * Math.sqrt(changed) + zPower * Math.sqrt(changed - difference ** 2)) ** 2 / difference ** 2
    if (needed > rows) low = difference
    else high = difference
  }
  return high
}

/** The probability that the test finds a difference, over all numbers of changed rows. */
function powerOf(rows: number, difference: number, least: readonly number[], logs: Float64Array): number {
  const changed = Math.max(changedShare, difference)
  const gainedShare = (1 + difference / changed) / 2
  let sum = 0
  for (const [count, enough] of least.entries()) {
    const weight = binomial(rows, count, changed, logs)
    if (weight < 1e-12) continue
    let found = 0
    for (let more = enough; more <= count; more++)
      found += binomial(count, more, gainedShare, logs) + binomial(count, count - more, gainedShare, logs)
    sum += weight * found
  }
  return sum
}

/** How many of the changed rows have to change to one side for the test to find it. */
function leastFound(changed: number, logs: Float64Array): number {
  let tail = 0
  for (let least = changed; least > changed / 2; least--) {
    tail += binomial(changed, least, 0.5, logs)
    if (2 * tail >= alpha) return least + 1
  }
  return changed + 1
}

function binomial(count: number, chosen: number, share: number, logs: Float64Array): number {
  if (share >= 1) return chosen === count ? 1 : 0
  const [all = 0, some = 0, rest = 0] = [logs[count], logs[chosen], logs[count - chosen]]
  return Math.exp(all - some - rest + chosen * Math.log(share) + (count - chosen) * Math.log1p(-share))
}

function logFactorials(most: number): Float64Array {
  const logs = new Float64Array(most + 1)
  for (let at = 2; at <= most; at++) logs[at] = (logs[at - 1] ?? 0) + Math.log(at)
  return logs
}
