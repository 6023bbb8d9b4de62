import { expect, test } from 'bun:test'
import { pino } from 'pino'
import { CallIntake } from '../../src/domains/calls/intake/call-intake.ts'
import type { CallsTask, PreparedCalls } from '../../src/domains/calls/intake/intake-task.ts'
import { prepareCalls } from '../../src/domains/calls/intake/prepare.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { BatchCodec } from '../../src/engine/wal/batch-codec.ts'
import { memoryLimits } from '../../src/lib/limits/memory.ts'
import { type BatchItem, batchOf, rowsOf } from './call-batches.ts'
import { Random } from './random.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'
import { visibleRows } from './visible-rows.ts'

const codec = new BatchCodec(callsTable)

const nowMs = Date.UTC(2024, 4, 1)
const project = 'e/p'

const taskOf = (body: unknown, changes: Partial<CallsTask> = {}): CallsTask => ({
  kind: 'parts',
  projectId: undefined,
  bytes: new TextEncoder().encode(JSON.stringify(body)),
  userId: 'key',
  nowMs,
  redact: true,
  keepsContents: false,
  dialect: 'weave',
  bodyDialect: 'ext',
  ...changes,
})

const batches = (): BatchItem[][] => {
  const items = batchOf(project, nowMs, new Random(7))
  return Array.from({ length: Math.ceil(items.length / 50) }, (_, index) => items.slice(index * 50, index * 50 + 50))
}

test('prepared calls are stored like calls that were parsed on the main thread', async () => {
  await using direct = await StoreBench.open([callsTable])
  await using prepared = await StoreBench.open([callsTable])
  for (const batch of batches()) {
    await direct.store.write('calls', await rowsOf(batch, nowMs))
    const calls = await prepareCalls(taskOf({ batch }))
    await prepared.store.writeEncoded('calls', codec.encoded(calls!))
  }
  const expected = await visibleRows(direct.store, callsTable, project)
  expect(expected.length).toBeGreaterThan(200)
  expect(await visibleRows(prepared.store, callsTable, project)).toEqual(expected)
  await using replayed = await StoreBench.afterCrashOf(prepared)
  expect(await visibleRows(replayed.store, callsTable, project)).toEqual(expected)
  await prepared.store.flushAll()
  expect(await visibleRows(prepared.store, callsTable, project)).toEqual(expected)
})

test('what is wrong with a body is left to the main thread', async () => {
  const [start] = batches()[0]!.filter(({ req }) => 'start' in req)
  const refused = [
    { batch: [{ mode: 'start', req: {} }] },
    { batch: [start, { ...start, mode: 'stop' }] },
    { batch: [{ req: { start: { ...(start!.req as { start: object }).start, id: '' } } }] },
    { batch: 7 },
    [],
  ]
  for (const body of refused) expect(await prepareCalls(taskOf(body))).toBeUndefined()
  const broken = new TextEncoder().encode('{"batch":[')
  expect(await prepareCalls(taskOf(undefined, { bytes: broken }))).toBeUndefined()
  const deep = new TextEncoder().encode(`{"batch":${'['.repeat(300)}${']'.repeat(300)}}`)
  expect(await prepareCalls(taskOf(undefined, { bytes: deep }))).toBeUndefined()
})

test('a completed call of another project than the path is left to the main thread', async () => {
  const call = {
    id: 'a',
    trace_id: 't',
    op_name: 'op',
    started_at: new Date(nowMs).toISOString(),
    ended_at: new Date(nowMs).toISOString(),
    attributes: {},
    inputs: {},
    summary: {},
  }
  const completed = { kind: 'completed', projectId: project } as const
  expect(await prepareCalls(taskOf({ batch: [call, { ...call, project_id: project }] }, completed))).toBeDefined()
  expect(await prepareCalls(taskOf({ batch: [{ ...call, project_id: 'e/other' }] }, completed))).toBeUndefined()
})

test('a thread prepares the same as the function that it runs', async () => {
  const intake = new CallIntake({
    dialect: 'weave',
    redact: true,
    memoryBytes: memoryLimits.bytesMin,
    keepsContents: true,
    clock: { nowMs: () => nowMs },
    log: pino({ level: 'silent' }),
  })
  try {
    const batch = batches()[0]!
    const task = taskOf({ batch }, { keepsContents: true })
    const sent = { kind: 'parts', projectId: undefined, userId: 'key', bodyDialect: 'ext' } as const
    expect(intake.accepts(100)).toBe(false)
    let prepared: PreparedCalls | undefined
    await until(async () => {
      // A thread that takes long to start leaves the body to the caller.
      if (intake.accepts(1_000_000)) prepared = await intake.prepare(task.bytes, sent)
      return prepared !== undefined
    })
    expect(prepared).toEqual(await prepareCalls(task))
    // The caller may still have to read it.
    expect(task.bytes).toEqual(taskOf({ batch }).bytes)
  } finally {
    await intake.close()
  }
})
