import { describe, expect, test } from 'bun:test'
import { cohensKappa } from './kappa.ts'
import { classOf, type Label, labelIn, orderedClasses, readingOf } from './labels.ts'

// Expected figures are those of `cohens_kappa` of statsmodels 0.15.0 (kappa_low and kappa_upp); the
// kappas are also those of `cohen_kappa_score` of scikit-learn 1.9.1.
describe("Cohen's kappa", () => {
  test.each([
    [
      [
        [20, 5],
        [10, 15],
      ],
      0.4,
      0.1510922905,
      0.6489077095,
    ],
    [
      [
        [45, 15],
        [25, 15],
      ],
      0.1304347826,
      -0.0629382778,
      0.323807843,
    ],
    [
      [
        [1, 0],
        [9, 30],
      ],
      0.1428571429,
      -0.1110673151,
      0.3967816008,
    ],
    [
      [
        [3, 3],
        [3, 3],
      ],
      0,
      -0.565792867,
      0.565792867,
    ],
    [
      [
        [8, 2, 0],
        [1, 9, 3],
        [0, 4, 13],
      ],
      0.6164908917,
      0.408597353,
      0.8243844304,
    ],
    [
      [
        [44, 5, 1],
        [7, 20, 3],
        [9, 5, 6],
      ],
      0.4915254237,
      0.3501582012,
      0.6328926462,
    ],
    [
      [
        [10, 1, 0, 0, 0],
        [2, 11, 3, 0, 0],
        [0, 2, 9, 4, 1],
        [0, 0, 3, 14, 2],
        [0, 0, 0, 1, 17],
      ],
      0.7009639976,
      0.583687734,
      0.8182402613,
    ],
  ])('of %p, as in statsmodels', (matrix, value, low, high) => {
    const found = cohensKappa(matrix)
    expect(found?.value).toBeCloseTo(value, 9)
    expect(found?.interval?.low).toBeCloseTo(low, 9)
    expect(found?.interval?.high).toBeCloseTo(high, 9)
  })

  test('stays above -1: statsmodels gives -1.205 to -0.734', () => {
    const found = cohensKappa([
      [0, 7],
      [9, 0],
    ])
    expect(found?.value).toBeCloseTo(-0.9692307692, 9)
    expect([found?.interval?.low, found?.interval?.high?.toFixed(6)]).toEqual([-1, '-0.733578'])
  })

  test('has no interval where all agree, and is unknown where chance explains everything', () => {
    expect(
      cohensKappa([
        [12, 0],
        [0, 21],
      ]),
    ).toEqual({ value: 1, interval: undefined })
    expect(
      cohensKappa([
        [12, 0],
        [0, 0],
      ]),
    ).toBeUndefined()
    expect(cohensKappa([])).toBeUndefined()
  })
})

const asIs = { bins: null, trueValues: null, isAssumed: false }

describe('labels', () => {
  test.each([
    ['true', true],
    ['4.0', 4],
    ['" good "', 'good'],
    ['""', undefined],
    ['null', undefined],
    ['[1]', undefined],
    ['{"a":1}', undefined],
    [null, undefined],
  ])('in %p', (json, label) => expect(labelIn(json)).toEqual(label))

  test('become classes by ranges, by a threshold, and by the values that count as true', () => {
    const bins = { ...asIs, bins: [2, 4] }
    expect([1, 2, 3.9, 4, 'x'].map((label) => classOf(label, bins))).toEqual([
      'below 2',
      '2 to below 4',
      '2 to below 4',
      '4 or more',
      undefined,
    ])
    expect(orderedClasses(new Set(['4 or more', 'below 2', '2 to below 4']), bins)).toEqual([
      'below 2',
      '2 to below 4',
      '4 or more',
    ])
    expect([3, 4].map((label) => classOf(label, { ...asIs, bins: [4] }))).toEqual(['false', 'true'])
    expect(['good', 'bad'].map((label) => classOf(label, { ...asIs, trueValues: ['good'] }))).toEqual(['true', 'false'])
    expect(orderedClasses(new Set(['10', '9', 'b', 'a']), asIs)).toEqual(['9', '10', 'a', 'b'])
  })

  test('are read as they are, unless the other side has booleans', () => {
    const read = (labels: readonly Label[], others: readonly Label[]) => readingOf({}, labels, others)
    expect(read([1, 2], [1, 2])).toEqual(asIs)
    expect(read([true], [false])).toEqual(asIs)
    expect(read([1, 3, 4, 5], [true, false])).toEqual({ bins: [4], trueValues: null, isAssumed: true })
    expect(read([0, 0.2, 0.9, 1], [true])).toEqual({ bins: [0.9], trueValues: null, isAssumed: true })
    expect(read([3, 3], [true])).toEqual({ bins: [3], trueValues: null, isAssumed: true })
    expect(read(['Yes', 'no'], [true])).toEqual({ bins: null, trueValues: ['Yes'], isAssumed: true })
    expect(read(['a', 'b'], [true])).toEqual(asIs)
    expect(readingOf({ bins: [4, 2] }, [1], [true])).toEqual({ bins: [2, 4], trueValues: null, isAssumed: false })
  })
})
