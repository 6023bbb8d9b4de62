import { expect, test } from 'bun:test'
import { durationTick, durationUnit } from '../dashboard/cards/card-data.ts'
import { niceScale } from './time-plot.tsx'

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

test('durations have ticks in round numbers of one unit', () => {
  const ticks = (highestMs: number) => {
    const unit = durationUnit(highestMs)
    const scale = niceScale(highestMs / unit).map((value) => value * unit)
    return scale.slice(1).map((value) => durationTick(value, scale.at(-1) ?? 0))
  }
  expect(ticks(851_000)).toEqual(['5 min', '10 min', '15 min'])
  expect(ticks(600_000)).toEqual(['200.00 s', '400.00 s', '600.00 s'])
  expect(ticks(6 * 3_600_000)).toEqual(['100 min', '200 min', '300 min', '400 min'])
  expect(ticks(30 * 3_600_000)).toEqual(['10 h', '20 h', '30 h'])
})
