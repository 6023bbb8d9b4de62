import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { ProjectReader } from '../../src/domains/access/caller.ts'
import { countByIndex, countInFiles } from '../../src/domains/calls/calls.ts'
import { callsRelation, planRows } from '../../src/domains/calls/plan.ts'
import type { Snapshot } from '../../src/engine/reads/snapshot.ts'
import { callsCatalog } from '../../src/engine/tables/calls-query.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { wholeSpan } from '../../src/lib/stored-span.ts'
import type { Row } from '../../src/lib/table.ts'
import { resolveField } from '../../src/query/catalog.ts'
import type { Expression } from '../../src/query/expression.ts'
import { sharedOfSpan } from '../../src/query/path-of-row.ts'
import { rewrite } from '../../src/query/rewrite/rewrite.ts'
import { compileRows } from '../../src/query/sql/statements.ts'
import { readQuery } from '../../src/query/table-plan.ts'
import { faultsOf } from '../cli/damage.ts'
import { StoreBench } from '../store/store-bench.ts'
import { projectId } from './fixture.ts'
import { Random, seedOf } from './random.ts'
import { randomSpan } from './random-spans.ts'
import { storedSpanRow } from './stored-span-rows.ts'

const random = new Random(seedOf('path columns of spans'))
const reader = { projectId } as ProjectReader
const { at } = callsTable

const scalars: readonly unknown[] = ['a', 'gpt-4o', '', '7', 7, 1.5, true, "it's", '日本 "語"', 'null']
const names = [
  'customer.tier',
  'gen_ai.request.model',
  'gen_ai.response.model',
  "it's",
  'x/y',
  'session.id',
  'server.port',
]
/** Spans show these as what columns of their own hold, or as they are stored. */
const otherPaths = ['name', 'parent_id', 'context.span_id', 'start_time', 'status.code', 'scope.name', 'resource']
const sharedPaths = ['resource.attributes.customer', 'resource.attributes.customer.tier']

const { valueIndexRowsMin, valueIndexBlockRows, valuesCountedMax, pathRowsMin } = storageLimits
afterAll(
  () => void Object.assign(storageLimits, { valueIndexRowsMin, valueIndexBlockRows, valuesCountedMax, pathRowsMin }),
)

let bench: StoreBench
let written = 0

beforeAll(async () => {
  Object.assign(storageLimits, { valueIndexRowsMin: 1, valueIndexBlockRows: 8, valuesCountedMax: 20, pathRowsMin: 16 })
  bench = await StoreBench.open([callsTable])
  const flush = async (rows: Row[]) => {
    await bench.store.write('calls', rows)
    await bench.store.flush()
  }
  await flush(spans(80, 0))
  // The sample of the rows does not show all that differ.
  await flush(spans(storageLimits.pathRowsSampled * 3, 4))
  // Resource and scope are never in the spans themselves.
  await flush(spans(200, 0).filter((row) => row[at.otel_group] !== wholeSpan))
  // Calls whose users named an attribute like the span.
  await flush([...spans(60, 5), ...Array.from({ length: 10 }, userCall)])
  const replaced = spans(40, 5)
  await flush(replaced)
  await bench.store.write('calls', [
    ...replaced.slice(0, 10).map((row) => callsTable.tombstone(projectId, row[at.id] as string, bench.nowMs * 1000)),
    ...spans(20, 3),
    userCall(),
  ])
}, 120_000)

/** Finished spans with scalar attributes; of some, every nth has a value of its own. */
function spans(count: number, differing: number): Row[] {
  return Array.from({ length: count }, (_, index) => {
    const model = random.pick(scalars)
    const span = randomSpan(random, written++)
    const differs = differing > 0 && index === count - differing
    const attributes = names
      .filter((name) => name === 'gen_ai.request.model' || random.below(5) > 0)
      .map((name): [string, unknown] => [
        name,
        name.endsWith('.model') ? (differs && name.includes('response') ? 'another' : model) : random.pick(scalars),
      ])
    const whole = { ...span, start: span.start ?? { micros: 1_767_600_000_000_000 + written, nanos: 0 }, attributes }
    const end = { micros: whole.start.micros + 1000, nanos: 0 }
    const row = storedSpanRow({ ...whole, end }, random)!.row
    row[at.written_at] ??= bench.nowMs * 1000
    return row
  })
}

function userCall(): Row {
  const row = callsTable.columns.map((): Row[number] => null)
  const startedAt = 1_767_600_000_000_000 + written++
  const span = { attributes: { customer: { tier: random.pick(scalars) }, session: { id: random.pick(scalars) } } }
  const cells = {
    project_id: projectId,
    id: `user-${written}`,
    trace_id: 'user',
    op_name: 'op',
    started_at: startedAt,
    ended_at: startedAt + 5,
    attributes: JSON.stringify({ otel_span: span }),
    inputs: '{}',
    ext_user_id: 'u',
    written_at: bench.nowMs * 1000,
  }
  for (const [name, cell] of Object.entries(cells)) row[at[name as keyof typeof at]] = cell
  return row
}

const places = [
  ...names.flatMap((name) => [`attributes.otel_span.attributes.${name}`, `otel_dump.attributes.${name}`]),
  ...[...otherPaths, ...sharedPaths].map((path) => `attributes.otel_span.${path}`),
  ...sharedPaths.map((path) => `otel_dump.${path}`),
  'attributes.model',
]

const read = <T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> =>
  bench.store.read(['calls'], { projectId }, work)

test('values at paths of spans are the same, whether files have columns for them or not', async () => {
  let columns = 0
  for (const place of places) {
    const field = resolveField(callsCatalog, place)
    if (field.kind !== 'json') throw new Error(`${place} is not JSON`)
    await read(async (snapshot) => {
      const where = readQuery(undefined, callsCatalog)
      const wanted = { projectId, where, columns: ['id'], values: [{ name: 'v', field }] }
      const relation = await callsRelation(snapshot, planRows(reader, {}), where, [field])
      columns += relation.branches.filter(({ source }) => source.kind === 'files' && source.pathColumns?.size).length
      const sorted = async (of: typeof relation) =>
        (await snapshot.rows(compileRows({ ...wanted, relation: of }))).map((row) => JSON.stringify(row)).sort()
      expect({ place, rows: await sorted(relation) }).toEqual({ place, rows: await sorted(snapshot.relation('calls')) })
    })
  }
  // Every attribute has a column in most files, in both spellings.
  expect(columns).toBeGreaterThan(names.length * 3)
}, 120_000)

test('what spans share is read from its own column, in files where no span has it', async () => {
  let shared = 0
  for (const place of sharedPaths.flatMap((path) => [`attributes.otel_span.${path}`, `otel_dump.${path}`])) {
    const sort = [{ field: place, direction: random.pick(['asc', 'desc'] as const) }]
    await read(async (snapshot) => {
      const plan = planRows(reader, { sort_by: sort })
      const relation = await callsRelation(snapshot, plan, plan.where)
      shared += relation.branches.filter(
        ({ source }) => source.kind === 'files' && source.pathColumns?.has(sharedOfSpan.stored),
      ).length
      // Values by which rows are sorted come behind their columns.
      const idsOf = async (of: typeof relation, limit?: number) => {
        const wanted = {
          relation: of,
          projectId,
          where: plan.where,
          columns: ['id'],
          sort: plan.sort,
          limit,
          offset: 0,
        }
        return (await snapshot.rows(compileRows(wanted))).map(([id]) => id)
      }
      const expected = await idsOf(snapshot.relation('calls'))
      expect({ place, ids: await idsOf(relation) }).toEqual({ place, ids: expected })
      expect({ place, ids: await idsOf(relation, 50) }).toEqual({ place, ids: expected.slice(0, 50) })
    })
  }
  expect(shared).toBe(sharedPaths.length * 2)
}, 120_000)

test('conditions on spans select and count the same, whether files have columns and indexes or not', async () => {
  let counts = 0
  for (const place of places) {
    for (const value of [random.pick(scalars), random.pick(scalars), random.pick(['a', 'another', null])]) {
      const field = { $getField: place }
      const operations = [
        { $eq: [field, { $literal: value }] },
        { $not: [{ $eq: [field, { $literal: value }] }] },
        { $gt: [field, { $literal: value }] },
        ...(typeof value === 'string' ? [{ $contains: { input: field, substr: { $literal: value } } }] : []),
      ]
      const operation = random.pick(operations)
      await read(async (snapshot) => {
        let where: Expression
        try {
          where = rewrite(readQuery({ $expr: operation }, callsCatalog))
        } catch {
          return
        }
        const plan = { ...planRows(reader, {}), where }
        const rowsOf = async (relation: Awaited<ReturnType<typeof callsRelation>>) =>
          (await snapshot.rows(compileRows({ relation, projectId, where, columns: ['id'] }))).flat().sort()
        const found = await rowsOf(await callsRelation(snapshot, plan, where))
        const expected = await rowsOf(snapshot.relation('calls'))
        expect({ operation, found }).toEqual({ operation, found: expected })
        const counted = await countByIndex(snapshot, plan)
        if (counted === undefined) return
        counts++
        expect({ operation, count: counted[0]![0] }).toEqual({ operation, count: expected.length })
      })
    }
  }
  expect(counts).toBeGreaterThan(places.length / 3)
}, 120_000)

test('equalities are counted the same from data files alone', async () => {
  const countOf = (where: Expression) => countInFiles(bench.store, { ...planRows(reader, {}), where }, { projectId })
  const equalities = [...places, 'op_name', 'trace_id', 'summary.status'].flatMap((place) => {
    const field = { $getField: place }
    return [random.pick(scalars), random.pick(scalars), 'gpt-4o', 'another', 'success'].map((value) =>
      random.below(2) === 0
        ? { $eq: [field, { $literal: value }] }
        : { $in: [field, [value, random.pick(scalars), value].map((one) => ({ $literal: one }))] },
    )
  })
  const compare = async () => {
    let counts = 0
    for (const equality of equalities) {
      const since = { $gt: [{ $getField: 'started_at' }, { $literal: random.pick([0, 1_767_600_000]) }] }
      let where: Expression
      try {
        where = rewrite(
          readQuery({ $expr: random.below(3) > 0 ? equality : { $and: [equality, since] } }, callsCatalog),
        )
      } catch {
        continue
      }
      const count = await countOf(where)
      if (count === undefined) continue
      counts++
      await read(async (snapshot) => {
        const wanted = { relation: snapshot.relation('calls'), projectId, where, columns: ['id'] }
        const found = await snapshot.rows(compileRows(wanted))
        expect({ equality, count }).toEqual({ equality, count: found.length })
      })
    }
    return counts
  }
  // There are rows in memory.
  expect(await compare()).toBe(0)
  // What is deleted stays in memory for a while, and so does what was told to parents that never
  // arrive: a flush takes that into the next memtable, and the one after it into a file.
  bench.nowMs += 24 * 3_600_000
  await bench.store.flushAll()
  await bench.store.flushAll()
  expect(await compare()).toBeGreaterThan(places.length / 3)
}, 120_000)

test('verification finds no fault in the columns', async () => {
  // The other tables were not made.
  expect((await faultsOf(bench.folder)).filter((fault) => fault.startsWith('tables/calls'))).toEqual([])
}, 120_000)
