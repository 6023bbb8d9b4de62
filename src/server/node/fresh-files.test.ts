import { expect, test } from 'bun:test'
import { lakeLimits } from '../../lib/limits/objects.ts'
import { freshFiles } from './fresh-files.ts'

test('files are flushed at the first call, and again when they are too old', async () => {
  let nowMs = 0
  let flushes = 0
  const flushAll = async () => {
    flushes++
    return []
  }
  const holdFiles = async () => new AsyncDisposableStack()
  const prepare = freshFiles({ flushAll }, { holdFiles }, () => nowMs)
  const freshen = () => prepare(['calls'], new AbortController().signal)
  for (let count = 0; count < 3; count++) await freshen()
  expect(flushes).toBe(1)
  nowMs += lakeLimits.sqlBehindMsMax
  for (let count = 0; count < 3; count++) await freshen()
  expect(flushes).toBe(2)
})
