import { expect, test } from 'bun:test'
import { MiB } from '../../src/lib/bytes.ts'
import { readDeltaTable } from './folder-state.ts'
import { closedNote, openNote } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'
import { visibleRows } from './visible-rows.ts'

const notes = 40
const body = JSON.stringify({ text: 'word '.repeat(MiB / 10) })

test('with little memory, fewer rows are flushed together', async () => {
  await using bench = await StoreBench.open(undefined, { memoryBytesMax: 128 * MiB })
  const { store, tableFolder } = bench
  for (let note = 0; note < notes; note++) await store.write('notes', [closedNote(`id-${note}`, { body })])
  await until(async () => (await readDeltaTable(tableFolder)).files.length > 0)
  expect(await visibleRows(store)).toHaveLength(notes)
})

test('with little memory, fewer rows wait in it for their other half', async () => {
  await using bench = await StoreBench.open(undefined, { memoryBytesMax: 128 * MiB })
  const { store, tableFolder } = bench
  const rowsInFiles = async () =>
    (await readDeltaTable(tableFolder)).files.reduce((rows, { stats }) => rows + stats.numRecords, 0)
  await store.write('notes', [openNote('small', { body: '{}' })])
  await store.flush()
  expect(await rowsInFiles()).toBe(0)
  for (let note = 0; note < notes; note++) await store.write('notes', [openNote(`id-${note}`, { body })])
  await store.flush()
  // Of 16 MiB in a memtable, so that the next one is not due to be flushed at once.
  expect(await rowsInFiles()).toBeGreaterThan(notes / 2)
  expect(await visibleRows(store)).toHaveLength(notes + 1)
})
