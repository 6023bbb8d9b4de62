import { expect, test } from 'bun:test'
import { RecentTimes } from './recent-times.ts'

const noteRows = (times: RecentTimes, project: string, micros: readonly (number | null)[]) => {
  for (const one of micros) times.note(() => ({ project, micros: one }))
}

test('tells a time after which some thousands of rows are, in whatever order they came', () => {
  const times = new RecentTimes()
  const rows = Array.from({ length: 32_768 }, (_, row) => (row * 7_919) % 32_768)
  noteRows(times, 'a', rows)
  const since = times.since('a') ?? 0
  const after = rows.filter((micros) => micros > since).length
  expect(after).toBeGreaterThan(1_000)
  expect(after).toBeLessThan(16_384)
})

test('tells nothing of projects with few rows, and leaves out rows without a time', () => {
  const times = new RecentTimes()
  noteRows(
    times,
    'few',
    Array.from({ length: 4_096 }, (_, row) => row),
  )
  noteRows(
    times,
    'untimed',
    Array.from({ length: 32_768 }, () => null),
  )
  expect(times.since('few')).toBeUndefined()
  expect(times.since('untimed')).toBeUndefined()
  expect(times.since('absent')).toBeUndefined()
})
