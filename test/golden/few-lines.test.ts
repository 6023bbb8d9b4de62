import { expect, test } from 'bun:test'
import type { ProjectReader } from '../../src/domains/access/caller.ts'
import { fewLines, fewLinesInFiles } from '../../src/domains/calls/few-lines.ts'
import { type CallsRequest, planCalls, relationsOf } from '../../src/domains/calls/plan.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { dialects } from '../../src/formats/dialect/dialect.ts'
import { readLimits } from '../../src/lib/limits/reads.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { compileJsonLines, compileStats } from '../../src/query/sql/statements.ts'
import { StoreBench } from '../store/store-bench.ts'
import { Random, seedOf } from './random.ts'
import { type Json, print, randomJson, randomObject, texts } from './random-json.ts'

/*
 * Pages and lookups of a few calls are read from data files without DuckDB. Whatever was written,
 * changed and deleted, and wherever it is, the lines are the same bytes as those of DuckDB.
 */

const random = new Random(seedOf('few lines'))
const projects = ['acme/one', 'acme/two']
const second = 1e6

type Cells = Record<string, string | number | null>

const members = ['attributes', 'inputs', 'output', 'summary', 'ended_at', 'exception', 'turn_id', 'ext_user_id']

const rowOf = (cells: Cells) => callsTable.columns.map(({ name }) => cells[name] ?? null)
const maybe = <T>(value: T): T | null => (random.below(3) === 0 ? null : value)
const startedAt = () => 1.7e15 + random.below(4000) * second + random.pick([0, 0, 1, 123_457])

function startOf(id: string, nowMs: number): Cells {
  const trace = random.below(60)
  return {
    project_id: random.below(8) === 0 ? projects[1]! : projects[0]!,
    id,
    trace_id: `trace-${trace}`,
    parent_id: maybe(`parent-${random.below(40)}`),
    thread_id: maybe(`thread-${trace % 7}`),
    op_name: random.pick(['op', 'Predict', ...texts]) || 'op',
    display_name: maybe(random.pick(texts)),
    started_at: startedAt(),
    attributes: print(randomObject(random, 2) as Json),
    inputs: print(randomObject(random, 3) as Json),
    otel_dump: random.below(5) === 0 ? print(randomObject(random, 2) as Json) : null,
    ext_user_id: 'user',
    ext_run_step: maybe(random.below(1000)),
    written_at: nowMs * 1000,
  }
}

const endOf = ({ project_id, id, started_at }: Cells, nowMs: number): Cells => ({
  project_id: project_id!,
  id: id!,
  ended_at: (started_at as number) + random.below(9_000_000),
  exception: maybe(random.pick(texts)),
  output: maybe(print(randomJson(random, 3) as Json)),
  summary: random.pick(['{}', '{"usage":{"gpt-4o":{"input_tokens":3,"requests":1.0}}}', '{"a":1.0}']),
  ext_run_step_end: maybe(random.below(1000)),
  written_at: nowMs * 1000,
})

function question(ids: readonly string[]): CallsRequest {
  const some = (count: number, of: () => string) => Array.from({ length: 1 + random.below(count) }, of)
  const filter = random.pick([
    undefined,
    { call_ids: some(4, () => random.pick(ids)) },
    { trace_ids: some(2, () => `trace-${random.below(70)}`) },
    { parent_ids: some(3, () => `parent-${random.below(50)}`) },
    { thread_ids: [`thread-${random.below(8)}`], trace_roots_only: random.below(2) === 0 },
    { trace_roots_only: true },
    { op_names: ['Predict'] },
  ])
  const bound = { $literal: 1.7e9 + random.below(4000) }
  const query = random.pick([
    undefined,
    { $expr: { $lt: [{ $getField: 'started_at' }, bound] } },
    { $expr: { $gte: [{ $getField: 'started_at' }, bound] } },
    { $expr: { $eq: [{ $getField: 'id' }, { $literal: random.pick(ids) }] } },
  ])
  const isBounded = random.below(3) > 0
  const columns = random.pick([undefined, [], ['id', 'output'], ['summary'], members.filter(() => random.below(2) > 0)])
  return {
    filter,
    query,
    sort_by: [{ field: 'started_at', direction: random.pick(['asc', 'desc']) }],
    columns,
    include_storage_size: random.below(4) === 0,
    ...(isBounded && { limit: 1 + random.below(60), offset: random.pick([0, 0, 0, 5, 90, 400]) }),
  }
}

test('lines of a few calls are the same as those of DuckDB', async () => {
  const { valueIndexRowsMin, valueIndexBlockRows } = storageLimits
  Object.assign(storageLimits, { valueIndexRowsMin: 100, valueIndexBlockRows: 16 })
  try {
    await using bench = await StoreBench.open([callsTable])
    const starts: Cells[] = []
    let answered = 0
    let asked = 0
    let answeredInFiles = 0
    const compare = async () => {
      const ids = starts.map(({ id }) => id as string)
      for (let at = 0; at < 12; at++) {
        const projectId = random.pick([...projects, projects[0]!])
        const reader = { projectId } as ProjectReader
        const plan = planCalls(reader, question(ids), dialects.ext, new Map())
        const inFiles = await fewLinesInFiles(bench.store, plan, new AbortController().signal)
        const count = await bench.store.inFiles('calls', { projectId }, async (files) => files.count())
        await bench.store.readLong(['calls'], { projectId }, async (snapshot) => {
          asked++
          const few = await fewLines(snapshot, plan)
          // Null: there are rows in memory.
          if (inFiles !== null) expect(inFiles).toEqual(few)
          if (inFiles) answeredInFiles++
          if (typeof count === 'number') {
            const every = planCalls(reader, {}, dialects.ext, new Map())
            const [row] = await snapshot.rows(
              compileStats(every, await relationsOf(snapshot, every), { totalStorageSize: false }),
            )
            expect(count).toBe(row![0] as number)
          }
          if (few === undefined) return
          const rows = await snapshot.rows(compileJsonLines(plan, await relationsOf(snapshot, plan)))
          expect(few).toEqual(rows.map(([line]) => line as string))
          answered++
        })
      }
    }
    for (let round = 0; round < 6; round++) {
      const made = Array.from({ length: random.pick([20, 150, 400]) }, (_, at) =>
        startOf(`call-${round}-${at}`, bench.nowMs),
      )
      starts.push(...made)
      await bench.store.write('calls', made.map(rowOf))
      // Some calls end later, when their starts are in files.
      const ended = starts.filter(() => random.below(3) === 0)
      await bench.store.write(
        'calls',
        ended.map((start) => rowOf(endOf(start, bench.nowMs))),
      )
      await compare()
      if (round % 5 < 4) await bench.store.flushAll()
      await compare()
      const deleted = starts.filter(() => random.below(30) === 0)
      const tombstones = deleted.map(({ project_id, id }) =>
        callsTable.tombstone(project_id as string, id as string, bench.nowMs * 1000),
      )
      await bench.store.write('calls', tombstones)
      await compare()
      if (round % 4 === 3) await bench.store.compact()
      await compare()
      bench.nowMs += 60_000
    }
    console.log(`${answered} of ${asked} answers were read without DuckDB`)
    expect(answered).toBeGreaterThan(asked / 3)
    expect(answeredInFiles).toBeGreaterThan(asked / 20)
  } finally {
    Object.assign(storageLimits, { valueIndexRowsMin, valueIndexBlockRows })
  }
}, 600_000)

test('calls with large payloads are left to DuckDB, which streams them', async () => {
  const { pointAnswerBytesMax } = readLimits
  await using bench = await StoreBench.open([callsTable])
  const projectId = projects[0]!
  const inputs = `{"text":"${'a'.repeat(1000)}"}`
  const rows = Array.from({ length: 30 }, (_, at) =>
    rowOf({ ...startOf(`call-${at}`, bench.nowMs), project_id: projectId, inputs, ended_at: 1.8e15, summary: '{}' }),
  )
  await bench.store.write('calls', rows)
  await bench.store.flushAll()
  const plan = planCalls({ projectId } as ProjectReader, { limit: 30 }, dialects.ext, new Map())
  const read = () => bench.store.readLong(['calls'], { projectId }, (snapshot) => fewLines(snapshot, plan))
  expect(await read()).toHaveLength(30)
  try {
    Object.assign(readLimits, { pointAnswerBytesMax: 20_000 })
    expect(await read()).toBeUndefined()
  } finally {
    Object.assign(readLimits, { pointAnswerBytesMax })
  }
})
