import { expect, test } from 'bun:test'
import { SeededRandom } from '../../demo/traces/seeded-random.ts'
import { Database } from '../../runtime/duck/database.ts'
import { Reader } from '../../runtime/duck/reader.ts'
import { bucketStarts } from './bucket-starts.ts'

test('starts with a constant offset from UTC are those that DuckDB finds by the time zone', async () => {
  const database = await Database.open({ memoryBytesMax: 64e6, temporaryFolder: '' })
  const reader = new Reader(await database.connect())
  try {
    const snapshot = { rows: <R>(sql: Parameters<typeof reader.rows<R>>[0]) => reader.rows(sql, { timeoutMs: 60_000 }) }
    const random = new SeededRandom(1)
    const zones = { UTC: 0, 'Asia/Kolkata': 19_800, 'America/Phoenix': -25_200 }
    for (const [timezone, offsetSeconds] of Object.entries(zones)) {
      for (let time = 0; time < 20; time++) {
        const granularitySeconds = random.pick([1, 7, 60, 900, 3600, 21_600, 86_400, 100_000])
        // From 1950 for UTC, and from 2000 for the others, whose offsets have changed before.
        const fromSeconds = (timezone === 'UTC' ? -631_152_000 : 946_684_800) + random.integer(0, 750_000_000)
        const start = fromSeconds * 1e6 + random.integer(0, 1) * random.integer(0, 999_999)
        const end =
          start + random.integer(0, 200) * granularitySeconds * 1e6 + random.integer(0, 1) * random.integer(0, 999_999)
        const buckets = { granularitySeconds, timezone }
        const expected = await bucketStarts(snapshot, { start, end }, buckets)
        expect(await bucketStarts(snapshot, { start, end }, { ...buckets, offsetSeconds })).toEqual(expected)
      }
    }
  } finally {
    reader.close()
    database.close()
  }
})

test('an empty range has no buckets', async () => {
  const snapshot = { rows: () => Promise.reject(new Error('No statement is needed')) }
  const range = { start: 5e6, end: 5e6 }
  expect(await bucketStarts(snapshot, range, { granularitySeconds: 1, timezone: 'UTC', offsetSeconds: 0 })).toEqual([])
})
