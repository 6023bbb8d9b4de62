import { expect, test } from 'bun:test'
import { bucketLength } from './bucket-length.ts'
import { roundTimes } from './time-axis.tsx'

const hour = 3_600_000

test('buckets have round lengths', () => {
  expect(bucketLength(24 * hour, 72)).toBe(hour / 3)
  expect(bucketLength(7 * 24 * hour, 72)).toBe(3 * hour)
  expect(bucketLength(60_000, 72)).toBe(1_000)
  expect(bucketLength(20 * 365 * 24 * hour, 72) / hour / 24).toBe(180)
})

test('ticks stand at round times of the zone', () => {
  const from = Date.UTC(2026, 10, 21, 14, 12)
  const shown = (zone: string) =>
    roundTimes(from, from + 24 * hour, 7, zone).map((time) => new Date(time).toISOString().slice(11, 16))
  expect(shown('UTC')).toEqual(['16:00', '20:00', '00:00', '04:00', '08:00', '12:00'])
  expect(shown('Asia/Kolkata')).toEqual(['14:30', '18:30', '22:30', '02:30', '06:30', '10:30'])
})
