import { expect, test } from 'bun:test'
import { compareTimes } from './time.ts'

test('whole seconds come before their fractions', () => {
  const times = ['2026-11-29T07:40:16.010001Z', '2026-11-29T07:40:17Z', '2026-11-29T07:40:16Z']
  expect(times.toSorted(compareTimes)).toEqual([
    '2026-11-29T07:40:16Z',
    '2026-11-29T07:40:16.010001Z',
    '2026-11-29T07:40:17Z',
  ])
})
