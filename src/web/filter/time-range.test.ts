import { expect, test } from 'bun:test'
import { formatFilter } from './format-filter.ts'
import { parseFilter } from './parse-filter.ts'
import { readTimeRange, spanOf, within, writeTimeRange } from './time-range.ts'

const canonical = ['-15m', '-24h', '-7d', '-90s', 'all', '2026-11-21T14:12Z..2026-11-22T14:12:05.250Z']

test.each(canonical)('reads and writes %p', (text) => {
  expect(writeTimeRange(readTimeRange(text)!)).toBe(text)
})

test('writes what it reads in other spellings', () => {
  expect(writeTimeRange(readTimeRange('-1d')!)).toBe('-24h')
  expect(writeTimeRange(readTimeRange('2026-11-21..2026-11-22')!)).toBe('2026-11-21T00:00Z..2026-11-22T00:00Z')
})

test.each(['', '-', '-5', '24h', '-0h', 'now', '2026-11-22..2026-11-21', '2026-13-01..2026-13-02', 'a..b..c'])(
  'refuses %p',
  (text) => expect(readTimeRange(text)).toBeUndefined(),
)

test('ends a relative range now', () => {
  expect(spanOf({ kind: 'last', ms: 1_000 }, 5_000)).toEqual({ from: 4_000, to: 5_000 })
  expect(spanOf({ kind: 'all' }, 5_000)).toBeUndefined()
})

test('adds the bounds to a filter', () => {
  const filter = within(parseFilter('status = error'), Date.UTC(2026, 10, 22), undefined)
  expect(formatFilter(filter)).toBe('started >= 2026-11-22T00:00:00.000Z and status = error')
})
