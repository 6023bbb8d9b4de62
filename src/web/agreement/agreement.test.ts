import { describe, expect, test } from 'bun:test'
import { agreementOf, agreementOfPair } from './agreement.ts'
import type { Ratings, Value } from './coefficients.ts'
import { wilson } from './wilson.ts'

// Answers to items, a row each, and what other programs compute of them: scikit-learn 1.9.1
// (cohen_kappa_score), statsmodels 0.15.0 (fleiss_kappa), and krippendorff 0.9.0.
const _ = undefined
const twoPeople = [
  ['policy', 'tool'],
  ['tool', 'tool'],
  ['policy', 'tone'],
  ['tool', 'tone'],
  ['tool', 'tool'],
  ['tone', 'tone'],
  ['policy', 'policy'],
  ['tool', 'tool'],
  ['tool', 'tool'],
  ['tool', 'tool'],
  ['tool', 'tool'],
  ['tool', 'tool'],
  ['tone', 'tone'],
  ['tool', 'tone'],
  ['policy', 'tool'],
  ['tone', 'tool'],
  ['tone', 'tone'],
  ['tool', 'tool'],
  ['tool', 'tone'],
  ['policy', 'policy'],
  ['policy', 'policy'],
  ['tool', 'tone'],
  ['tool', 'tool'],
  ['policy', 'policy'],
  ['tool', 'tool'],
  ['policy', 'policy'],
  ['tone', 'tone'],
  ['tone', 'tool'],
  ['policy', 'tool'],
  ['tool', 'tool'],
]
const twoOnScale = [
  [2, 3],
  [5, 5],
  [2, 2],
  [4, 2],
  [5, 5],
  [5, 4],
  [4, 3],
  [2, 2],
  [3, 2],
  [2, 1],
  [1, 1],
  [1, 2],
  [3, 1],
  [1, 2],
  [4, 5],
  [1, 1],
  [1, 3],
  [3, 4],
  [3, 5],
  [1, 3],
  [4, 5],
  [5, 4],
  [3, 5],
  [3, 4],
  [2, 2],
  [5, 5],
  [5, 5],
  [4, 4],
  [3, 4],
  [5, 5],
]
const threePeople = [
  ['tool', 'tool', 'tone'],
  ['tool', 'tool', 'tone'],
  ['tone', 'tone', 'tone'],
  ['tone', 'tone', 'tone'],
  ['tone', 'policy', 'policy'],
  ['tone', 'tool', 'tone'],
  ['policy', 'tool', 'policy'],
  ['tool', 'policy', 'tool'],
  ['policy', 'tool', 'tool'],
  ['tool', 'tool', 'tool'],
  ['policy', 'policy', 'tool'],
  ['policy', 'policy', 'policy'],
  ['tool', 'tool', 'tool'],
  ['tool', 'tool', 'tone'],
  ['tool', 'tool', 'tool'],
  ['policy', 'policy', 'policy'],
  ['tool', 'policy', 'tool'],
  ['tool', 'policy', 'tool'],
  ['tool', 'tone', 'tone'],
  ['tool', 'tool', 'tool'],
  ['policy', 'policy', 'policy'],
  ['tone', 'tool', 'tone'],
  ['tone', 'tone', 'tool'],
  ['tone', 'tool', 'tone'],
  ['tone', 'tone', 'tone'],
]
const fourPeople = [
  [true, true, true, true],
  [true, true, true, true],
  [true, true, true, true],
  [true, true, false, true],
  [false, false, false, false],
  [false, false, false, true],
  [true, true, true, false],
  [true, true, true, true],
  [false, false, false, false],
  [false, true, true, true],
  [true, true, true, true],
  [true, false, false, false],
  [true, true, true, true],
  [true, true, true, true],
  [true, true, true, true],
  [true, true, false, false],
  [true, true, true, true],
  [true, true, true, true],
  [false, false, false, true],
  [false, false, false, false],
]
const someMissing = [
  [_, 'policy', _, _],
  ['tone', 'policy', 'policy', _],
  [_, 'policy', 'tone', _],
  ['tone', 'tone', 'tone', 'tone'],
  [_, 'policy', _, 'policy'],
  [_, 'tone', _, _],
  ['tone', 'tone', 'tone', 'policy'],
  ['policy', _, 'policy', _],
  [_, 'tool', _, 'tool'],
  ['tone', 'policy', 'policy', _],
  ['tone', 'tone', 'tone', _],
  ['tone', _, _, _],
  [_, 'policy', _, _],
  ['tone', _, 'tone', 'tone'],
  ['tool', 'tone', 'tool', 'tool'],
  ['tone', 'tone', _, 'tone'],
  [_, _, _, _],
  ['tool', 'tool', 'tool', _],
  [_, 'policy', 'policy', 'policy'],
  [_, 'tool', _, 'tone'],
  ['tool', _, _, _],
  ['policy', _, 'tool', 'policy'],
  ['tone', _, 'tone', _],
  [_, 'policy', 'policy', 'policy'],
  [_, _, _, 'tool'],
  ['tone', 'tone', 'tone', _],
  [_, _, 'tone', _],
  ['tool', 'tool', _, _],
]
const someMissingOnScale = [
  [4, _, 4, 4],
  [4, 5, 5, 5],
  [_, 1, 1, 1],
  [1, _, _, 1],
  [3, _, _, 1],
  [3, 4, _, 3],
  [_, 1, _, 2],
  [3, 3, 3, _],
  [1, _, 1, 1],
  [_, 5, 4, _],
  [1, 2, 2, 1],
  [4, 3, 4, 3],
  [_, _, 5, 5],
  [_, _, _, 4],
  [_, _, _, _],
  [3, 3, 2, 4],
  [_, _, 3, 2],
  [3, _, 3, 3],
  [_, _, 3, _],
  [_, _, 1, 1],
  [_, 1, _, _],
  [_, _, _, _],
  [4, _, 5, 5],
  [1, _, 1, 1],
  [1, 1, 1, _],
  [_, _, _, 3],
  [2, _, 2, _],
  [4, 2, 4, 3],
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

type Rows = readonly (readonly (Value | undefined)[])[]

const people = ['ann', 'bob', 'cyd', 'dan']

const ratingsOf = (rows: Rows): Ratings[] =>
  rows.map((row) => {
    const given = row.map((value, index): [string, Value | undefined] => [people[index] ?? '', value])
    return new Map(given.filter((each): each is [string, Value] => each[1] !== undefined))
  })

describe('the agreement on a question', () => {
  test.each([
    ['cohen', 'nominal', twoPeople, 0.465241],
    ['cohen', 'interval', twoOnScale, 0.705882],
    ['fleiss', 'nominal', threePeople, 0.382885],
    ['fleiss', 'nominal', fourPeople, 0.582146],
    ['krippendorff', 'nominal', someMissing, 0.613454],
    ['krippendorff', 'interval', someMissingOnScale, 0.851187],
    ['krippendorff', 'nominal', published, 0.743421],
    ['krippendorff', 'interval', published, 0.849107],
  ] as const)('is %s for %s answers, as another program computes it', (coefficient, metric, rows, value) => {
    const found = agreementOf(ratingsOf(rows), metric)
    expect(found.coefficient).toBe(coefficient)
    expect(found.value).toBeCloseTo(value, 5)
    const [low, high] = found.interval!
    expect(low).toBeLessThan(value)
    expect(high).toBeGreaterThan(value)
    expect(agreementOf(ratingsOf(rows), metric)).toEqual(found)
  })

  test('of two of several people is Cohen’s, over the items that both answered', () => {
    const pair = agreementOfPair(ratingsOf(threePeople), ['ann', 'bob'], 'nominal')
    const alone = agreementOf(ratingsOf(threePeople.map((row) => row.slice(0, 2))), 'nominal')
    expect(pair).toEqual(alone)
    expect(agreementOfPair(ratingsOf(threePeople), ['ann', 'dan'], 'nominal').items).toBe(0)
  })

  test('is 1 if all agree, and none where all answers are equal or fewer than ten items are compared', () => {
    const equal = (values: readonly Value[]): Rows =>
      Array.from({ length: 12 }, (__, at) => [values[at % 2]!, values[at % 2]!])
    const whole = { coefficient: 'cohen', items: 12, value: 1, interval: [1, 1] }
    expect(agreementOf(ratingsOf(equal([true, false])), 'nominal')).toMatchObject(whole)
    expect(agreementOf(ratingsOf(equal(['a', 'a'])), 'nominal').value).toBeUndefined()
    expect(agreementOf(ratingsOf(twoPeople.slice(0, 9)), 'nominal')).toMatchObject({ items: 9, value: undefined })
    expect(agreementOf([], 'nominal').value).toBeUndefined()
  })
})

test('the interval of a share is Wilson’s', () => {
  // statsmodels 0.15.0, proportion_confint
  const [low, high] = wilson(7, 8)
  expect(low).toBeCloseTo(0.529112, 5)
  expect(high).toBeCloseTo(0.977583, 5)
})
