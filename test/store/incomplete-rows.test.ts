import { expect, test } from 'bun:test'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { noteRow, openNote } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

const count = storageLimits.dirtyRowsMax * 2
const batch = 1000

/** Ends of notes `from` to `to`, as if they followed their starts. */
const ends = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => noteRow({ id: `n-${from + i}`, closed: from + i, votes: 1 }))
const starts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => openNote(`n-${from + i}`, { body: '{}' }))

test('starts and ends merged during a background drain are complete, now and after a crash', async () => {
  await using bench = await StoreBench.open()
  for (let at = 0; at < count; at += batch) {
    await bench.store.write('notes', starts(at, at + batch))
    if (at >= batch) await bench.store.write('notes', ends(at - batch, at - batch / 2))
  }
  const seen = await visibleRows(bench.store)
  expect(seen).toHaveLength(Math.ceil(count / batch) * batch)
  const closed = seen.filter((row) => row['closed'] !== undefined)
  expect(closed).toHaveLength((seen.length / batch - 1) * (batch / 2))
  expect(closed.every((row) => row['body'] === '{}' && row['votes'] === 1 && row['title'] !== undefined)).toBe(true)
  await using crashed = await StoreBench.afterCrashOf(bench)
  expect(await visibleRows(crashed.store)).toEqual(seen)
  await bench.store.flush()
  expect(await visibleRows(bench.store)).toEqual(seen)
})

test('incomplete rows beyond the memory limit are all kept, and an end finds the oldest of them', async () => {
  await using bench = await StoreBench.open()
  for (let at = 0; at < storageLimits.dirtyRowsMax * 3; at += 4096)
    await bench.store.write('notes', starts(at, at + 4096))
  await bench.store.write('notes', ends(0, 1))
  const seen = await visibleRows(bench.store)
  expect(seen).toHaveLength(storageLimits.dirtyRowsMax * 3)
  expect(seen[0]).toMatchObject({ id: 'n-0', closed: 0, title: 'title of n-0' })
  expect(new Set(idsOf(seen)).size).toBe(seen.length)
})
