import { expect, test } from 'bun:test'
import { Summary } from './run-trials.ts'

function summaryOf(...values: unknown[]): unknown {
  const summary = new Summary()
  for (const value of values) summary.add(value)
  return summary.result()
}

test.each([
  [[true, false, true, true], { true_count: 3, true_fraction: 0.75 }],
  [[1, 2, 4.5], { mean: 2.5 }],
  [[1, true, false], { mean: 2 / 3 }],
  [[{ match: true }, { match: false }], { match: { true_count: 1, true_fraction: 0.5 } }],
  [[{ a: { b: 1 }, note: 'x' }, { a: { b: 3 } }, null], { a: { b: { mean: 2 } } }],
  [[{ score: null }, { score: 1 }], { score: { mean: 1 } }],
  [['text', null, [1]], null],
  [[], null],
])('summarises %p as %p', (values, result) => {
  expect(summaryOf(...values)).toEqual(result)
})
