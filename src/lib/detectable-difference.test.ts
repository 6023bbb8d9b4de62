import { expect, test } from 'bun:test'
import { detectableDifference } from './detectable-difference.ts'

/**
 * The same from SciPy 1.16: the power summed over `scipy.stats.binomtest(k, m).pvalue < 0.05` with
 * `scipy.stats.binom.pmf`, solved for 80 % with `scipy.optimize.brentq`.
 */
const expected: readonly (readonly [rows: number, difference: number])[] = [
  [6, 0.9635],
  [10, 0.67317],
  [20, 0.36646],
  [30, 0.25075],
  [60, 0.18267],
  [100, 0.14421],
]

test.each(expected)('%d rows find a difference as SciPy says', (rows, difference) => {
  expect(detectableDifference(rows)).toBeCloseTo(difference, 3)
})

test('too few rows find none, and more rows find a smaller one', () => {
  expect(detectableDifference(5)).toBeUndefined()
  const found = [300, 500, 501, 1_000, 10_000, 1_000_000].map((rows) => detectableDifference(rows) ?? 1)
  expect(found).toEqual(found.toSorted((a, b) => b - a))
  // The exact test and the approximation meet.
  expect((found[1] ?? 0) - (found[2] ?? 0)).toBeLessThan(0.002)
})
