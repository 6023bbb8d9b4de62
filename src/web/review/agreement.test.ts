import { describe, expect, test } from 'bun:test'
import { agreementOf, krippendorffsAlpha, type Unit } from './agreement.ts'

// Answers of three people to 24 items, and their alpha by the Python package krippendorff 0.9.0.
const _ = undefined
const nominal = [
  [1, _, 0],
  [1, _, 1],
  [_, 1, 1],
  [0, 1, 0],
  [0, 0, _],
  [0, _, _],
  [0, 0, 0],
  [0, 0, 0],
  [1, _, 1],
  [0, 1, 0],
  [1, 1, _],
  [0, 1, 0],
  [1, 0, 0],
  [1, 0, 0],
  [_, 1, 1],
  [1, 1, 0],
  [1, 0, 1],
  [1, 0, 1],
  [0, 0, 0],
  [_, 0, _],
  [1, 1, 0],
  [0, 1, 1],
  [0, 1, 1],
  [_, 0, 1],
]
const interval = [
  [1, 1, 1],
  [3, 3, 2],
  [5, 5, 5],
  [2, 3, 1],
  [4, 3, 3],
  [_, _, 3],
  [4, 4, 4],
  [2, 1, 2],
  [1, 1, 1],
  [3, 3, 2],
  [4, 5, 5],
  [_, 2, 2],
  [5, 5, 5],
  [_, _, 5],
  [2, _, _],
  [5, 5, 5],
  [1, 1, 1],
  [1, 1, 1],
  [5, 5, 5],
  [5, _, _],
  [4, 5, 4],
  [2, 2, _],
  [4, 4, 4],
  [2, 2, 3],
]
// The example of Krippendorff (2011): four people, twelve items.
const published = [
  [1, 1, _, 1],
  [2, 2, 3, 2],
  [3, 3, 3, 3],
  [3, 3, 3, 3],
  [2, 2, 2, 2],
  [1, 2, 3, 4],
  [4, 4, 4, 4],
  [1, 1, 2, 1],
  [2, 2, 2, 2],
  [_, 5, 5, 5],
  [_, _, 1, 1],
  [_, 3, _, _],
]

const unitsOf = (rows: readonly (readonly (number | undefined)[])[]): Unit[] =>
  rows.map((row) => row.filter((each) => each !== undefined))

describe('Krippendorff’s alpha', () => {
  test.each([
    ['nominal', nominal, 0.118906],
    ['interval', interval, 0.928257],
    ['nominal', published, 0.743421],
    ['interval', published, 0.849107],
  ] as const)('%s, as another program computes it', (metric, rows, alpha) => {
    expect(krippendorffsAlpha(unitsOf(rows), metric)).toBeCloseTo(alpha, 5)
  })

  test('is 1 for full agreement, and undefined where all answers are equal', () => {
    const equal: Unit[] = Array.from({ length: 12 }, (__, index) => [index % 2 === 0, index % 2 === 0])
    expect(agreementOf(equal, 'nominal')).toEqual({ items: 12, alpha: 1, interval: [1, 1] })
    expect(
      agreementOf(
        equal.map(() => ['a', 'a']),
        'nominal',
      ).alpha,
    ).toBeUndefined()
  })

  test('has an interval that is always the same, and needs ten items', () => {
    const units = unitsOf(interval)
    const { items, interval: range } = agreementOf(units, 'interval')
    expect(items).toBe(20)
    expect(range![0]).toBeLessThan(0.928)
    expect(range![1]).toBeGreaterThan(0.928)
    expect(agreementOf(units, 'interval').interval).toEqual(range)
    expect(agreementOf(units.slice(0, 9), 'interval').alpha).toBeUndefined()
  })
})
