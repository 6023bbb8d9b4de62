import { expect, test } from 'bun:test'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
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

test('a later part of a span that is stored without what its call holds makes the span whole', async () => {
  await using bench = await StoreBench.open([callsTable])
  const [start, end] = batchOf(project, nowMs, new Random(2))
  const rows = await rowsOf([start!, end!], nowMs)
  const span = rows.map((row) => {
    const changed = [...row]
    changed[callsTable.at.otel_group] = '{"resource":{}}'
    changed[callsTable.at.otel_dump] = '{"name":"x"}'
    return changed
  })
  const later = { ...(end!.req as { end: object }).end, output: 'another' }
  await bench.store.write('calls', span)
  await bench.store.write('calls', await rowsOf([{ mode: 'end', req: { end: later } } as never], nowMs))
  await using replayed = await StoreBench.afterCrashOf(bench)
  const expected = await visibleRows(bench.store, callsTable, project)
  expect(expected).toMatchObject([{ output: '"another"', otel_group: expect.not.stringContaining('resource') }])
  expect(await visibleRows(replayed.store, callsTable, project)).toEqual(expected)
})
