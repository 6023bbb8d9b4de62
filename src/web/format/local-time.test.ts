import { expect, test } from 'bun:test'
import { localText, timeOfLocal } from './local-time.ts'

test.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'])(
  '%s there and back',
  (zone) => {
    for (let time = Date.UTC(2026, 0, 1, 0, 30); time < Date.UTC(2027, 0, 1); time += 29 * 3_600_000 + 61_000) {
      const text = localText(time, zone)
      // An hour that clocks show twice is read as either.
      expect([0, 1_800_000, 3_600_000]).toContain(Math.abs(timeOfLocal(text, zone)! - time))
    }
  },
)

test('reads dates and refuses what is none', () => {
  expect(timeOfLocal('2026-11-22', 'UTC')).toBe(Date.UTC(2026, 10, 22))
  expect(timeOfLocal('2026-11-22T10:05:09', 'Europe/Berlin')).toBe(Date.UTC(2026, 10, 22, 9, 5, 9))
  for (const text of ['', 'now', '2026-02-30', '2026-11-22 25:00', '22 Nov 2026']) {
    expect(timeOfLocal(text, 'UTC')).toBeUndefined()
  }
})
