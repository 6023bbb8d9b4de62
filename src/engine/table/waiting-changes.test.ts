import { expect, test } from 'bun:test'
import { storageLimits } from '../../lib/limits/storage.ts'
import { selectRewrites } from './waiting-changes.ts'

const { rewrittenFreelyBytesMax, rewritesAtOnceBytesMax, waitingChangesMax, waitingBytesMax, retainedAgeMs } =
  storageLimits
const nowMs = 1e12
const rows = 100_000

const file = (
  name: string,
  changedRows: number,
  { bytes = rewrittenFreelyBytesMax + 1, ageMs = 0, changedBytes = 0 } = {},
) => ({
  name,
  rows,
  bytes,
  changedRows,
  changedBytes,
  oldestMs: nowMs - ageMs,
})

const chosen = (files: readonly ReturnType<typeof file>[]) =>
  [...selectRewrites(files, { nowMs, bytesMax: waitingBytesMax })].map(({ name }) => name)

test('small files are rewritten at once', () => {
  const bytes = Math.floor(rewrittenFreelyBytesMax / 2)
  expect(chosen([file('a', 1, { bytes }), file('b', 1, { bytes })])).toEqual(['a', 'b'])
})

test('a few recent changes in large files wait', () => {
  expect(chosen([file('a', 1), file('b', 10_000)])).toEqual([])
})

test('files of which much has changed are rewritten, as many as one step allows', () => {
  const bytes = rewritesAtOnceBytesMax / 2
  expect(chosen([file('a', rows / 2, { bytes }), file('b', 1, { bytes }), file('c', rows, { bytes })])).toEqual([
    'c',
    'a',
  ])
})

test('old changes leave their files step by step, the oldest first, and at least one at a time', () => {
  const ageMs = retainedAgeMs
  const files = [file('a', 1, { ageMs }), file('b', 1, { ageMs: ageMs + 1 }), file('c', 1)]
  expect(chosen(files)).toEqual(['b', 'a'])
  const huge = { bytes: rewritesAtOnceBytesMax * 2 }
  expect(chosen([file('a', 1, { ageMs, ...huge }), file('b', 1, { ageMs: ageMs + 1, ...huge })])).toEqual(['b'])
})

test('a bounded number of changes waits', () => {
  const each = Math.ceil(waitingChangesMax / 3)
  expect(chosen([file('a', each), file('b', each + 1), file('c', each), file('d', each)])).toEqual(['b', 'a'])
})

test('rows of bounded size wait', () => {
  const each = { changedBytes: Math.ceil(waitingBytesMax / 2) }
  const larger = { changedBytes: each.changedBytes + 1 }
  expect(chosen([file('a', 1, each), file('b', 1, larger), file('c', 9)])).toEqual(['b'])
})

test('counts know all changes that may wait, in both memtables', () => {
  // During a flush, changes that wait count in the memtable that is flushed and in the next one.
  expect(storageLimits.hiddenRowsCountedMax).toBeGreaterThan(3 * storageLimits.waitingChangesMax)
})
