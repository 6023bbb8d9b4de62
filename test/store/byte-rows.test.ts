import { expect, test } from 'bun:test'
import { callsTable } from '../../src/tables/calls-table.ts'
import { batchOf, rowsOf } from './call-batches.ts'
import { Random } from './random.ts'
import { StoreBench } from './store-bench.ts'
import { visibleRows } from './visible-rows.ts'

const nowMs = Date.UTC(2024, 4, 1)
const project = 'e/p'

test('calls that reach DuckDB as bytes are the same as calls that reached it as values', async () => {
  await using bench = await StoreBench.open([callsTable])
  const items = batchOf(project, nowMs, new Random(1))
  for (let from = 0; from < items.length; from += 50)
    await bench.store.write('calls', await rowsOf(items.slice(from, from + 50), nowMs))
  // What a log brings back stays bytes.
  await using replayed = await StoreBench.afterCrashOf(bench)
  const expected = await visibleRows(bench.store, callsTable, project)
  expect(expected.length).toBeGreaterThan(200)
  expect(await visibleRows(replayed.store, callsTable, project)).toEqual(expected)
})
