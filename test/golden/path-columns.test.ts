import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { ProjectReader } from '../../src/domains/access/caller.ts'
import { countByIndex } from '../../src/domains/calls/calls.ts'
import { ValueCounter } from '../../src/domains/calls/exploration/call-values.ts'
import { callsRelation, planCalls, planRows, relationsOf } from '../../src/domains/calls/plan.ts'
import { linesInTime, topOfPath } from '../../src/domains/calls/time-windows.ts'
import { callsCatalog } from '../../src/engine/tables/calls-query.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { dialects } from '../../src/formats/dialect/dialect.ts'
import { DomainError } from '../../src/lib/errors.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import type { Row } from '../../src/lib/table.ts'
import type { Expression } from '../../src/query/expression.ts'
import { rewrite } from '../../src/query/rewrite/rewrite.ts'
import { compileJsonLines, compileRows } from '../../src/query/sql/statements.ts'
import { readQuery } from '../../src/query/table-plan.ts'
import type { Operation } from '../conformance/support/query-expression.ts'
import { StoreBench } from '../store/store-bench.ts'
import { type DataRow, holds, Refused } from './evaluator.ts'
import { Random, seedOf } from './random.ts'
import { type Json, NumberText, print, randomJson } from './random-json.ts'
import { condition } from './random-query.ts'
import { randomRows } from './random-rows.ts'

const cases = Number(Bun.env['TRACELAKE_TEST_QUERIES'] ?? 300)
const random = new Random(seedOf('random queries over path columns'))
const projectId = 'acme/traces'
const rowsPerFile = 100
const reader = { projectId } as ProjectReader

/** Members of the inputs that are scalars in every row, so that they get columns. */
const scalars = ['a', "it's", 'x/y', '日本', '~1']

/** Those with so few values that data files count them. */
const few = new Set(['a', '日本'])
const fewValues = Array.from({ length: 12 }, () => randomJson(random, 0))

let bench: StoreBench
let rows: DataRow[]

const { valueIndexRowsMin, valueIndexBlockRows, valuesCountedMax } = storageLimits
afterAll(() => void Object.assign(storageLimits, { valueIndexRowsMin, valueIndexBlockRows, valuesCountedMax }))

beforeAll(async () => {
  // Every file has an index; the values of some columns are counted, those of others located.
  Object.assign(storageLimits, { valueIndexRowsMin: 1, valueIndexBlockRows: 8, valuesCountedMax: 20 })
  bench = await StoreBench.open([callsTable])
  rows = randomRows(random, rowsPerFile * 3).map((row) => ({
    ...row,
    // Rows without an end would stay in memory.
    ended_at: row['ended_at'] ?? 1,
    inputs: withScalars(row['inputs'] as Json),
  }))
  // Scores of one file exceed those of the next.
  for (const [at, row] of rows.entries()) {
    const score = [500, 5, 0][Math.floor(at / rowsPerFile)]! + (at % 5)
    if (at % 4 > 0) (row['inputs'] as Map<string, Json>).set('score', new NumberText(String(score)))
  }
  // Three files, the last of which is rewritten because rows of it are replaced; and a memtable.
  for (let from = 0; from < rows.length; from += rowsPerFile) {
    await bench.store.write('calls', rows.slice(from, from + rowsPerFile).map(storedRow))
    await bench.store.flush()
  }
  const deleted = rows.splice(10, 20)
  await bench.store.write(
    'calls',
    deleted.map(({ id }) => callsTable.tombstone(projectId, id as string, bench.nowMs * 1000)),
  )
  await bench.store.flush()
  const masked = rows.splice(-30)
  const inMemory = masked.slice(0, 10).map((row) => ({ ...row, inputs: withScalars(row['inputs'] as Json) }))
  await bench.store.write('calls', [
    ...inMemory.map(storedRow),
    ...masked.slice(10).map(({ id }) => callsTable.tombstone(projectId, id as string, bench.nowMs * 1000)),
  ])
  rows.push(...inMemory)
}, 120_000)

function withScalars(inputs: Json): Json {
  const members = new Map(inputs as Map<string, Json>)
  for (const name of scalars) {
    members.delete(name)
    if (random.below(5) === 0) continue
    members.set(name, few.has(name) ? random.pick(fewValues) : randomJson(random, 0))
  }
  return members
}

function storedRow(row: DataRow): Row {
  const micros = (seconds: unknown) => (seconds === null ? null : Math.round((seconds as number) * 1e6))
  const cells: Row = callsTable.columns.map(({ name }) => (row[name] ?? null) as Row[number])
  const set = (name: keyof typeof callsTable.at, cell: Row[number]) => {
    cells[callsTable.at[name]] = cell
  }
  set('project_id', projectId)
  set('trace_id', 'trace')
  set('attributes', '{}')
  set('inputs', print(row['inputs'] as Json))
  set('output', row['output'] === null ? null : print(row['output'] as Json))
  set('started_at', micros(row['started_at']))
  set('ended_at', micros(row['ended_at']))
  set('written_at', bench.nowMs * 1000)
  return cells
}

function readOrRefuse(operation: Operation): Expression | 'refused' {
  try {
    return readQuery({ $expr: operation }, callsCatalog)
  } catch (error) {
    if (error instanceof DomainError && error.type === 'InvalidRequest') return 'refused'
    throw error
  }
}

function expected(operation: Operation): string[] | 'refused' {
  try {
    return rows
      .filter((row) => holds(operation, row) === true)
      .map((row) => row['id'] as string)
      .sort()
  } catch (error) {
    if (error instanceof Refused) return 'refused'
    throw error
  }
}

const show = (operation: Operation): string =>
  JSON.stringify(operation, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value))

test('random queries over files with path columns select the same as a naive evaluator', async () => {
  let throughColumns = 0
  let throughIndexes = 0
  let throughCounts = 0
  await bench.store.read(['calls'], { projectId }, async (snapshot) => {
    for (let i = 0; i < cases; i++) {
      const operation = condition(random, random.below(4))
      const where = readOrRefuse(operation)
      let actual: string[] | 'refused' = 'refused'
      if (where !== 'refused') {
        const relation = await callsRelation(snapshot, planRows(reader, {}), rewrite(where))
        if (relation.branches.some(({ source }) => source.kind === 'files' && source.rowRanges !== undefined))
          throughIndexes++
        const counted = await countByIndex(snapshot, { ...planRows(reader, {}), where: rewrite(where) })
        if (counted !== undefined) {
          throughCounts++
          const found = [show(operation), counted[0]![0]]
          expect(found).toEqual([show(operation), expected(operation).length])
        }
        if (relation.branches.some(({ source }) => source.kind === 'files' && source.pathColumns?.size))
          throughColumns++
        const found = await snapshot.rows(compileRows({ relation, projectId, where, columns: ['id'] }))
        actual = found.map(([id]) => id as string).sort()
      }
      expect(`${show(operation)} ${actual}`).toBe(`${show(operation)} ${expected(operation)}`)
    }
  })
  console.log(`${throughColumns} of ${cases} queries read path columns, ${throughIndexes} only some rows of a file`)
  console.log(`${throughCounts} of ${cases} were also counted without reading rows that files count`)
  expect(throughCounts).toBeGreaterThan(0)
  expect(throughColumns).toBeGreaterThan(cases / 20)
}, 600_000)

test('files without a value that meets a condition are not opened', async () => {
  await bench.store.read(['calls'], { projectId }, async (snapshot) => {
    const filesFor = async (operation: Operation) => {
      const where = rewrite(readQuery({ $expr: operation }, callsCatalog))
      const { branches } = await callsRelation(snapshot, planRows(reader, {}), where)
      return new Set(branches.flatMap(({ source }) => (source.kind === 'files' ? source.paths : []))).size
    }
    const score = { $getField: 'inputs.score' }
    expect(await filesFor({ $gt: [score, { $literal: 100 }] })).toBe(1)
    expect(await filesFor({ $gte: [score, { $literal: 5 }] })).toBe(2)
    expect(await filesFor({ $gte: [score, { $literal: 0 }] })).toBe(3)
    expect(await filesFor({ $not: [{ $gt: [score, { $literal: 100 }] }] })).toBe(2)
    // Calls without a value are in every file.
    expect(await filesFor({ $eq: [score, { $literal: null }] })).toBe(3)
    expect(await filesFor({ $gt: [score, { $literal: 1e6 }] })).toBe(0)
  })
})

test('values are the same whether files state how many they have or rows are read', async () => {
  const counter = new ValueCounter({ store: bench.store, costs: undefined as never })
  const { uncountedRowsMax } = storageLimits
  const signal = new AbortController().signal
  const times = [{}, { query: { $expr: { $gt: [{ $getField: 'started_at' }, { $literal: 1 }] } } }]
  try {
    for (const path of [...scalars.map((name) => `inputs.${name}`), 'op_name', 'summary.ext.status', 'inputs']) {
      for (const question of times) {
        Object.assign(storageLimits, { uncountedRowsMax })
        const stated = await counter.count(reader, { project_id: projectId, path, ...question }, signal)
        Object.assign(storageLimits, { uncountedRowsMax: -1 })
        const read = await counter.count(reader, { project_id: projectId, path, ...question }, signal)
        expect({ path, ...stated }).toEqual({ path, ...read })
      }
    }
  } finally {
    Object.assign(storageLimits, { uncountedRowsMax })
  }
}, 120_000)

test('pages in the order of a path are the same whether or not their values are looked up first', async () => {
  let throughCounts = 0
  await bench.store.readLong(['calls'], { projectId }, async (snapshot) => {
    for (let i = 0; i < cases / 10; i++) {
      const direction = () => random.pick(['asc', 'desc'] as const)
      const sort_by = [
        { field: `inputs.${random.pick(scalars)}`, direction: direction() },
        ...random.pick([[], [{ field: 'started_at', direction: direction() }]]),
      ]
      const times = { $expr: { $gt: [{ $getField: 'started_at' }, { $literal: random.below(3) }] } }
      const question = {
        sort_by,
        limit: 1 + random.below(40),
        offset: random.pick([0, 0, 5, 60]),
        columns: ['id'],
        query: random.pick([undefined, times]),
      }
      const plan = planCalls(reader, question, dialects.ext, new Map())
      const relations = await relationsOf(snapshot, plan)
      if ((await topOfPath(snapshot, plan, relations)) !== undefined) throughCounts++
      const inSteps: string[] = []
      const lines = linesInTime({ snapshot, plan, relations }, (read, window) =>
        snapshot.texts(compileJsonLines(read.plan, read.relations, window)),
      )
      for await (const some of lines) inSteps.push(...some)
      const atOnce = (await snapshot.rows(compileJsonLines(plan, relations))).map(([line]) => line)
      expect([JSON.stringify(question), ...inSteps]).toEqual([JSON.stringify(question), ...(atOnce as string[])])
    }
  })
  console.log(`${throughCounts} of ${cases / 10} pages looked up their values first`)
  expect(throughCounts).toBeGreaterThan(0)
}, 600_000)

test('which rows are on a page is found in one scan', async () => {
  await bench.store.readLong(['calls'], { projectId }, async (snapshot) => {
    const scans: number[] = []
    const rows: typeof snapshot.rows = async (sql) => {
      const plan = await snapshot.rows({ text: `EXPLAIN ${sql.text}`, values: sql.values })
      scans.push(plan.join('').split('Projections:').length - 1)
      return await snapshot.rows(sql)
    }
    const question = { sort_by: [{ field: 'inputs.a', direction: 'desc' as const }], limit: 5, columns: ['id'] }
    const plan = planCalls(reader, question, dialects.ext, new Map())
    const relations = await relationsOf(snapshot, plan)
    // Masked rows are looked for again in another way.
    const [files] = relations.calls.branches
    const calls = { ...relations.calls, branches: files === undefined ? [] : [{ ...files, masks: [] }] }
    const watched = new Proxy(snapshot, {
      get: (whole, name) => {
        if (name === 'rows') return rows
        if (name === 'valueCounts') return async () => undefined
        const member = Reflect.get(whole, name) as unknown
        return typeof member === 'function' ? member.bind(whole) : member
      },
    })
    const read = { snapshot: watched, plan, relations: { ...relations, calls } }
    const lines = linesInTime(read, (found) => snapshot.texts(compileJsonLines(found.plan, found.relations)))
    await Array.fromAsync(lines)
    expect(scans).toEqual([1])
  })
}, 60_000)
