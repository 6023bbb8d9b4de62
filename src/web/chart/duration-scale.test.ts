import { expect, test } from 'bun:test'
import { durationScale, durationTick } from './duration-scale.ts'

const ticks = (highest: number): string[] => {
  const scale = durationScale(highest)
  return scale.slice(1).map((value) => durationTick(value, Math.max(...scale)))
}

test('durations have round ticks in one unit', () => {
  expect(ticks(640)).toEqual(['200 ms', '400 ms', '600 ms', '800 ms'])
  expect(ticks(900)).toEqual(['0.25 s', '0.5 s', '0.75 s', '1 s'])
  expect(ticks(90_000)).toEqual(['25 s', '50 s', '75 s', '100 s'])
  expect(ticks(110_000)).toEqual(['1 min', '2 min'])
  expect(ticks(1_000_000)).toEqual(['5 min', '10 min', '15 min', '20 min'])
  expect(ticks(851_000)).toEqual(['5 min', '10 min', '15 min'])
  expect(ticks(600_000)).toEqual(['3 min', '6 min', '9 min', '12 min'])
  expect(ticks(6 * 3_600_000)).toEqual(['2 h', '4 h', '6 h'])
  expect(ticks(110 * 60_000)).toEqual(['1 h', '2 h'])
  expect(ticks(30 * 3_600_000)).toEqual(['10 h', '20 h', '30 h'])
  expect(ticks(9 * 86_400_000)).toEqual(['3 d', '6 d', '9 d'])
})

test('the axis holds the highest duration', () => {
  expect(durationScale(0)).toEqual([0, 1])
  for (let highest = 0.001; highest < 1e11; highest *= 1.37) {
    const scale = durationScale(highest)
    expect(Math.max(...scale)).toBeGreaterThanOrEqual(highest * (1 - 1e-9))
    expect(scale.length).toBeWithin(2, 7)
  }
})
