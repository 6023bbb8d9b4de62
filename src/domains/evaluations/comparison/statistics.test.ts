import { describe, expect, test } from 'bun:test'
import { meanInterval, testDifference } from './bootstrap.ts'
import { wilsonInterval } from './intervals.ts'
import { holmPValues, mcnemarPValue } from './p-values.ts'
import { Random } from './random.ts'

// Expected figures are those of statsmodels 0.15.0 and SciPy 1.17.1, or of the same definitions in
// NumPy 2.4.6.
const signal = new AbortController().signal

describe('statistics of comparisons', () => {
  test.each([
    [0.0, 10.0, 0.0, 0.2775327999],
    [10.0, 10.0, 0.7224672001, 1.0],
    [7.0, 10.0, 0.3967781475, 0.8922087326],
    [1.0, 3.0, 0.06149194472, 0.7923403992],
    [41.0, 50.0, 0.6920394633, 0.9022980733],
    [199.0, 200.0, 0.9722262956, 0.9991168313],
    [5230.0, 10000.0, 0.5132035976, 0.5327787385],
  ])("Wilson's interval of %p of %p, as in statsmodels", (successes, count, low, high) => {
    const found = wilsonInterval(successes, count)
    expect(found.low).toBeCloseTo(low, 9)
    expect(found.high).toBeCloseTo(high, 9)
  })

  test.each([
    [0.0, 1.0, 1.0],
    [5.0, 5.0, 1.0],
    [8.0, 1.0, 0.0390625],
    [1.0, 8.0, 0.0390625],
    [12.0, 3.0, 0.03515625],
    [0.0, 6.0, 0.03125],
    [40.0, 22.0, 0.03001586435],
    [900.0, 700.0, 6.319484959e-7],
    [2000.0, 1900.0, 0.1128936523],
  ])("McNemar's exact test of %p gained and %p lost, as in statsmodels", (gained, lost, pValue) => {
    expect(mcnemarPValue(gained, lost) / pValue).toBeCloseTo(1, 6)
  })

  test.each([
    [
      [0.01, 0.04, 0.03, 0.005],
      [0.03, 0.06, 0.06, 0.02],
    ],
    [
      [0.2, 0.2, 0.01],
      [0.4, 0.4, 0.03],
    ],
    [
      [0.0004, 0.9, 0.05, 0.049, 0.051, 0.012],
      [0.0024, 0.9, 0.196, 0.196, 0.196, 0.06],
    ],
    [[0.04], [0.04]],
  ])("Holm's correction of %p, as in statsmodels", (pValues, corrected) => {
    const found = holmPValues(pValues)
    for (const [index, expected] of corrected.entries()) expect(found[index]).toBeCloseTo(expected, 9)
  })
})

/**
 * `low`, `high` and `p` with the same draws; `scipy`: with 100,000 of its own, and the p of its t
 * test.
 */
const bootstraps = [
  {
    values: [
      0.1, 0.19, 0.018, -0.167, -0.036, -0.197, 0.118, 0.502, -0.048, -0.086, 0.247, 0.207, 0.132, -0.179, 0.091, 0.309,
      -0.303, -0.037, -0.47, -0.287,
    ],
    low: -0.09825625,
    high: 0.105105,
    p: 0.9231076892,
    scipy: [-0.09435, 0.10505125, 0.9219768315],
  },
  {
    values: [1, 0, 0, -1, 1, 1, 0, 0, 1, 0, 0, 1],
    low: 0.0,
    high: 0.6666666667,
    p: 0.08759124088,
    scipy: [0.0, 0.6666666667, 0.1039157227],
  },
  {
    values: [
      -0.6, -0.45, 0.08, -0.72, -0.74, 0.42, -0.03, 1.4, -0.32, -0.28, 0.38, -0.27, -0.78, -0.51, 0.21, -0.17, 0.6,
      -0.79, 0.1, -0.55, -0.44, 2.27, 0.6, 3.0, 0.95, 1.44, -0.66, -0.5, -0.56, 0.35,
    ],
    low: -0.18135,
    high: 0.458,
    p: 0.501849815,
    scipy: [-0.189, 0.4603333333, 0.5038311585],
  },
]

describe('bootstrap', () => {
  test('draws the same numbers each time', () => {
    const random = new Random(20_260_101)
    const counts = new Float64Array(4)
    const drawn = () => {
      random.draw(counts)
      return counts.reduce((sum, count, place) => sum + count * 10 ** place, 0)
    }
    expect([drawn(), drawn()]).toEqual([202, 1201])
  })

  test.each(bootstraps)('of $values', async ({ values, low, high, p, scipy }) => {
    const found = await testDifference(Float64Array.from(values), { resamples: 10_000, signal })
    expect(found.interval.low).toBeCloseTo(low, 9)
    expect(found.interval.high).toBeCloseTo(high, 9)
    expect(found.pValue).toBeCloseTo(p, 9)
    expect(await meanInterval(Float64Array.from(values), { resamples: 10_000, signal })).toEqual(found.interval)
    const [scipyLow = 0, scipyHigh = 0, scipyP = 0] = scipy
    expect(Math.abs(found.interval.low - scipyLow)).toBeLessThan(0.02)
    expect(Math.abs(found.interval.high - scipyHigh)).toBeLessThan(0.02)
    expect(Math.abs(found.pValue - scipyP)).toBeLessThan(0.02)
  })

  test('of differences that are all equal', async () => {
    const test = async (values: number[]) => await testDifference(Float64Array.from(values), { resamples: 100, signal })
    expect(await test([0, 0, 0, 0, 0, 0])).toEqual({ interval: { low: 0, high: 0 }, pValue: 1 })
    expect(await test([2, 2, 2, 2, 2, 2])).toEqual({ interval: { low: 2, high: 2 }, pValue: 1 / 32 })
    // Means of three trials: none of them is exact.
    const thirds = Array.from({ length: 30 }, () => 1 - (1 + 0 + 1) / 3)
    expect((await test(thirds)).pValue).toBe(2 ** -29)
  })

  test('ends when its request is gone', async () => {
    const values = Float64Array.from({ length: 20_000 }, (_, index) => index % 7)
    const abort = new AbortController()
    const running = testDifference(values, { resamples: 10_000, signal: abort.signal })
    abort.abort(new Error('gone'))
    expect(running).rejects.toThrow('gone')
  })
})
