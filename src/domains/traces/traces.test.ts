import { expect, test } from 'bun:test'
import { callRow } from '../../../test/store/call-row.ts'
import { StoreBench } from '../../../test/store/store-bench.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { costsTable } from '../../engine/tables/costs-table.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import type { TraceSkeleton } from '../../formats/schemas/traces.ts'
import type { Row } from '../../lib/table.ts'
import { ReadCost, withReadCost } from '../../runtime/platform/read-cost.ts'
import type { ProjectReader } from '../access/index.ts'
import { Costs } from '../costs/index.ts'
import { Traces } from './traces.ts'

const projectId = 'acme/traces'
const reader = { projectId } as ProjectReader

const feedbackOn = (call: string): Row => {
  const cells: Record<string, Row[number]> = {
    ...{ project_id: projectId, id: `on-${call}`, call_id: call, feedback_type: 'note', payload: '{}' },
    ...{ created_at: 1e15, ref: `ext:///${projectId}/call/${call}`, created_by: 'u', written_at: 1e15 },
  }
  return feedbackTable.columns.map(({ name }) => cells[name] ?? null)
}

test('feedback and prices are read only if there are any', async () => {
  await using bench = await StoreBench.open([callsTable, costsTable, feedbackTable])
  const { store } = bench
  const traces = new Traces({ store, costs: new Costs({ store, clock: { nowMs: () => bench.nowMs } }) })
  await store.write(
    'calls',
    [1, 2].map((at) => callRow(projectId, at, { trace_id: 't' })),
  )
  await store.flush()
  const ask = async () => {
    const cost = new ReadCost()
    const texts = await withReadCost(cost, () =>
      Array.fromAsync(traces.texts(reader, { project_id: projectId, trace_id: 't' }, new AbortController().signal)),
    )
    const { call_ids: ids, feedback_count: counts } = JSON.parse(texts.flat().join('')) as TraceSkeleton
    return { statements: cost.statements, feedback: Object.fromEntries(ids.map((id, at) => [id, counts[at]])) }
  }
  expect(await ask()).toEqual({ statements: 1, feedback: { 'call-1': 0, 'call-2': 0 } })
  await store.write('feedback', [feedbackOn('call-2')])
  expect(await ask()).toEqual({ statements: 2, feedback: { 'call-1': 0, 'call-2': 1 } })
})
