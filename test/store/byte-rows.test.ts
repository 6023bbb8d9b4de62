import { expect, test } from 'bun:test'
import type { Row } from '../../src/kernel/table.ts'
import { completePart, endPart, startPart } from '../../src/records/calls/parts.ts'
import { callsTable } from '../../src/tables/calls-table.ts'
import { Random } from './random.ts'
import { StoreBench } from './store-bench.ts'
import { visibleRows } from './visible-rows.ts'

const options = { redact: true, userId: 'key', nowMs: Date.UTC(2024, 4, 1), contents: undefined }
const project = 'e/p'

/** Calls of every kind, some in two parts, some of which never become complete. */
function partsOfCalls(random: Random): Row[] {
  return Array.from({ length: 300 }, (_, index) => {
    const start = {
      project_id: project,
      id: `call-${index}`,
      trace_id: `trace-${index >> 2}`,
      op_name: random.chance(0.2) ? 'weave:///e/p/op/Evaluation.predict_and_score:v1' : 'grüße',
      started_at: new Date(options.nowMs + index).toISOString(),
      attributes: { index, text: '\u{1f600}'.repeat(random.below(40)) },
      inputs: { example: { index }, ref: `weave:///e/p/object/o:${'a'.repeat(random.below(20))}` },
      ...(random.chance(0.3) && { parent_id: `call-${index - 1}`, display_name: `shown ${index}` }),
    }
    const end = {
      project_id: project,
      id: start.id,
      ended_at: new Date(options.nowMs + index + 7).toISOString(),
      output: random.chance(0.5) ? { text: 'y'.repeat(random.below(200_000)) } : null,
      summary: random.chance(0.5) ? { usage: { model: { prompt_tokens: index, completion_tokens: 2 } } } : {},
      ...(random.chance(0.1) && { exception: 'it failed' }),
    }
    const startRow = () => startPart(start, project, options).part
    const endRow = () => endPart(end, project, options)
    if (random.chance(0.4)) return [completePart({ ...start, ...end }, project, options)]
    if (random.chance(0.8)) return [startRow(), endRow()]
    return random.chance(0.5) ? [startRow()] : [endRow()]
  }).flat()
}

test('calls that reach DuckDB as bytes are the same as calls that reach it as values', async () => {
  await using bench = await StoreBench.open([callsTable])
  const parts = partsOfCalls(new Random(1))
  for (let from = 0; from < parts.length; from += 50) await bench.store.write('calls', parts.slice(from, from + 50))
  // What a log brings back stays bytes.
  await using replayed = await StoreBench.afterCrashOf(bench)
  const expected = await visibleRows(bench.store, callsTable, project)
  expect(expected.length).toBeGreaterThan(200)
  expect(await visibleRows(replayed.store, callsTable, project)).toEqual(expected)
})
