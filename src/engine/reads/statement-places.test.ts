import { expect, test } from 'bun:test'
import { readLimits } from '../../lib/limits/reads.ts'
import { processors } from '../../runtime/platform/processes/threads.ts'
import { StatementPlaces, statementTurns } from './statement-places.ts'

test('fewer statements of readers run while writes are behind, and for a second after', () => {
  let nowMs = 0
  let isFlushBehind = false
  const places = new StatementPlaces({ isFlushBehind: () => isFlushBehind, nowMs: () => nowMs })
  const most = places.count
  expect(most).toBeGreaterThan(readLimits.statementsBesideFlush)
  let isIngestBehind = true
  places.isIngestBehind = () => isIngestBehind
  const fewest = Math.max(1, Math.floor(processors() / 2))
  expect(places.count).toBe(fewest)
  isIngestBehind = false
  nowMs = readLimits.yieldToIngestMs - 1
  expect(places.count).toBe(fewest)
  nowMs++
  expect(places.count).toBe(most)
  isFlushBehind = true
  expect(places.count).toBe(Math.max(readLimits.statementsBesideFlush, fewest))
})

test('a lookup does not wait for long pieces of streams, whatever places there are, nor more streams', async () => {
  const places = { count: 4, most: 4 }
  const turns = statementTurns(places)
  const held = Promise.withResolvers<void>()
  const streams = [0, 1, 2].map(() => turns.streams.run(() => held.promise))
  await Bun.sleep(0)
  // Writes are behind now, with two processors.
  places.count = 1
  const begun: string[] = []
  const stream = turns.streams.run(async () => void begun.push('stream'))
  await Promise.all([0, 1].map((number) => turns.lookups.run(async () => void begun.push(`lookup ${number}`))))
  expect(begun).toEqual(['lookup 0', 'lookup 1'])
  held.resolve()
  await Promise.all([...streams, stream])
  expect(begun).toEqual(['lookup 0', 'lookup 1', 'stream'])
}, 120_000)

test('long pieces of streams and lookups together are never more than the threads allow', async () => {
  const turns = statementTurns({ count: 3, most: 3 })
  const held = Promise.withResolvers<void>()
  const streams = [0, 1].map(() => turns.streams.run(() => held.promise))
  await Bun.sleep(readLimits.longPieceMs + 200)
  let begun = 0
  const lookups = [0, 1].map(() =>
    turns.lookups.run(async () => {
      begun++
      await held.promise
    }),
  )
  // Longer than waiting work takes to notice a further place.
  await Bun.sleep(200)
  expect(begun).toBe(1)
  held.resolve()
  await Promise.all([...streams, ...lookups])
  expect(begun).toBe(2)
}, 120_000)
