import { afterAll, beforeAll, expect, test } from 'bun:test'
import { callRow } from '../../../../test/store/call-row.ts'
import { changeLimits } from '../../../../test/store/change-limits.ts'
import { StoreBench } from '../../../../test/store/store-bench.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import type { ProjectReader } from '../../access/caller.ts'
import type { Costs } from '../../costs/costs.ts'
import { ValueCounter } from './call-values.ts'

const changed = { valueIndexRowsMin: 1, valuesCountedMax: 20, rowGroupRowsMax: 32, pathRowsMin: 1 }
const sampling = { sampledRowsMin: 300, sampledFilesMax: 3, uncountedRowsMax: 0 }
let restore = (): void => {}
beforeAll(() => {
  restore = changeLimits({ ...changed, ...sampling })
})
afterAll(() => restore())

const projects = ['acme/1', 'acme/2', 'acme/3'] as const
const perFile = 100
const files = 6

const rowOf = (project: string, at: number, customer: string) =>
  callRow(project, at, { attributes: JSON.stringify({ customer: `${project} ${customer}` }) })

async function withCalls(): Promise<StoreBench> {
  // So many files would be merged in the background.
  const bench = await StoreBench.open([callsTable], { isMaintained: false })
  for (let file = 0; file < files; file++) {
    const numbers = Array.from({ length: perFile }, (_, at) => file * perFile + at)
    await bench.store.write(
      'calls',
      projects.flatMap((project) => numbers.map((at) => rowOf(project, at, `customer-${at}`))),
    )
    await bench.store.flush()
  }
  return bench
}

const [, projectId] = projects
const reader = { projectId } as ProjectReader

function ask(bench: StoreBench, more: object = {}) {
  const counter = new ValueCounter({ store: bench.store, costs: {} as Costs })
  const question = { project_id: projectId, path: 'attributes.customer', limit: 1000, ...more }
  return counter.count(reader, question, new AbortController().signal)
}

const customers = (answer: Awaited<ReturnType<typeof ask>>): string[] => answer.values.map(({ value }) => String(value))

test('a field of many values is counted in some calls of the project that are spread over all times', async () => {
  await using bench = await withCalls()
  const answer = await ask(bench)
  expect(answer).toMatchObject({ is_sample: true, is_partial: false, missing: 0, other: 0 })
  // A run of rows from each of three files; it may meet a second row group.
  expect(answer.calls_read).toBeGreaterThanOrEqual(3 * 32)
  expect(answer.calls_read).toBeLessThanOrEqual(3 * 64)
  expect(answer.values.reduce((sum, { count }) => sum + count, 0)).toBe(answer.calls_read)
  expect(customers(answer).every((customer) => customer.startsWith(`${projectId} `))).toBe(true)
  const numbers = customers(answer).map((customer) => Number(customer.split('-')[1]))
  expect(new Set(numbers.map((at) => Math.floor(at / perFile))).size).toBe(3)
})

test('calls that were deleted or changed since are counted as they are now', async () => {
  await using bench = await withCalls()
  const sampled = customers(await ask(bench)).map((customer) => Number(customer.split('-')[1]))
  const [deleted, updated] = sampled as [number, number]
  await bench.store.write('calls', [
    callsTable.tombstone(projectId, `call-${deleted}`, bench.nowMs * 1000),
    rowOf(projectId, updated, 'new'),
  ])
  const now = customers(await ask(bench))
  expect(now).toContain(`${projectId} new`)
  expect(now).not.toContain(`${projectId} customer-${deleted}`)
  expect(now).not.toContain(`${projectId} customer-${updated}`)
  expect(now).toHaveLength(sampled.length - 1)
})

test('values that begin with a text are looked for in all calls', async () => {
  await using bench = await withCalls()
  const answer = await ask(bench, { prefix: `${projectId} customer-59` })
  expect(customers(answer)).toHaveLength(11)
  expect(answer).toMatchObject({ calls_read: files * perFile, is_sample: false })
})

test('fewer calls are all counted', async () => {
  await using bench = await withCalls()
  const query = { $expr: { $lt: [{ $getField: 'started_at' }, { $literal: 1.7e9 + 250 }] } }
  expect(await ask(bench, { query })).toMatchObject({ calls_read: 250, is_sample: false })
})
