import { expect, test } from 'bun:test'
import { readLimits } from '../../lib/limits/reads.ts'
import { processors } from '../../runtime/platform/processes/threads.ts'
import { StatementPlaces } from './statement-places.ts'

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
