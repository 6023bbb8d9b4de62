import { expect, test } from 'bun:test'
import { niceScale } from './nice-scale.ts'

test('scales have round steps and hold the highest value', () => {
  expect(niceScale(97.7)).toEqual([0, 25, 50, 75, 100])
  expect(niceScale(160)).toEqual([0, 50, 100, 150, 200])
  expect(niceScale(0.0031)).toEqual([0, 0.001, 0.002, 0.003, 0.004])
  expect(niceScale(0)).toEqual([0, 1])
  for (let value = 0.001; value < 1e6; value *= 1.37) {
    const scale = niceScale(value)
    expect(scale.at(-1)!).toBeGreaterThanOrEqual(value * (1 - 1e-9))
    expect(scale.length).toBeWithin(3, 7)
  }
})

test('scales of counts have no parts of one', () => {
  expect(niceScale(1, true)).toEqual([0, 1])
  expect(niceScale(3, true)).toEqual([0, 1, 2, 3])
  expect(niceScale(10, true)).toEqual([0, 3, 6, 9, 12])
  expect(niceScale(97, true)).toEqual([0, 25, 50, 75, 100])
})
