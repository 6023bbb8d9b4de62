import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import type { RowConditions } from '../../src/engine/reads/row-conditions.ts'
import type { AnyOf, Snapshot } from '../../src/engine/reads/snapshot.ts'
import { rollupSteps } from '../../src/engine/rollups/rollup-steps.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import type { Relation } from '../../src/lib/relation.ts'
import { branchSourceSql, projectRestriction } from '../../src/query/sql/branch.ts'
import { Parameters } from '../../src/query/sql/parameters.ts'
import { callRow } from './call-row.ts'
import { changeLimits } from './change-limits.ts'
import { allowDeletionVectors, inlineVector } from './deletion-vectors.ts'
import { ForeignWriter } from './foreign-writer.ts'
import { indexFiles } from './index-files.ts'
import { findLastingFaults } from './lasting-faults.ts'
import { StoreBench } from './store-bench.ts'
import { tableFaults } from './table-faults.ts'
import { until } from './until.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

const projectId = 'acme/restored'
const calls = 1_200
const every = Array.from({ length: calls }, (_, number) => number)
const idOf = (number: number): string => `call-${number}`

let restoreLimits = (): void => {}
beforeAll(() => {
  restoreLimits = changeLimits({ valueIndexRowsMin: 500, valueIndexBlockRows: 64, textFilterBytesMin: 1 })
})
afterAll(() => restoreLimits())

/** Each call has a trace, an operation and a word of its own, or shares them with few. */
const rows = every.map((number) =>
  callRow(projectId, number, {
    trace_id: `trace-${Math.floor(number / 4)}`,
    op_name: `op-${Math.floor(number / 50)}`,
    inputs: JSON.stringify({ customer: `customer-${number % 400}`, text: `the word is w${number}w` }),
  }),
)

/** A table of one file with a deletion vector, which the store has opened and indexed. */
interface Bench extends AsyncDisposable {
  readonly bench: StoreBench
  readonly other: ForeignWriter
  /** Gives the file another deletion vector, or none, in place of itself or of a rewritten one. */
  readonly delete: (numbers: readonly number[], options?: { readonly insteadOf?: string }) => void
}

/** @param options.isIndexed whether it has its index from the time before */
async function opened(
  of: 'another engine' | 'this store',
  deleted: readonly number[],
  { isIndexed = false } = {},
): Promise<Bench> {
  const bench = await StoreBench.open([callsTable], { isMaintained: false })
  await bench.store.write('calls', rows)
  await bench.store.flush({ retainIncomplete: false })
  await bench.close()
  const other = new ForeignWriter(bench.tableFolder)
  if (!isIndexed) for (const path of indexFiles(bench)) rmSync(path)
  allowDeletionVectors(other)
  if (of === 'another engine') await other.optimize()
  const [add] = [...other.adds.values()] as [Record<string, unknown>]
  const path = String(add['path'])
  const { stats, ...unmeasured } = add
  let before: ReturnType<typeof inlineVector> | undefined
  const change: Bench['delete'] = (numbers, { insteadOf = path } = {}) => {
    const removing = other.remove(insteadOf, insteadOf === path && before ? { deletionVector: before } : {})
    before = numbers.length === 0 ? undefined : inlineVector(numbers)
    const ofAll = { numRecords: calls, tightBounds: before === undefined }
    const known = of === 'this store' && before === undefined ? { stats } : { stats: JSON.stringify(ofAll) }
    other.commit(removing, {
      add: { ...unmeasured, ...known, dataChange: true, ...(before && { deletionVector: before }) },
    })
  }
  change(deleted)
  await bench.reopen()
  await expectCalls(bench, new Set(deleted))
  return { bench, other, delete: change, [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() }
}

const read = <T>({ store }: StoreBench, use: (snapshot: Snapshot) => Promise<T>): Promise<T> =>
  store.read(['calls'], { projectId }, use)

/** The numbers of the calls that a relation has, of those that meet a condition. */
async function numbersIn(snapshot: Snapshot, relation: Relation, condition = 'true'): Promise<number[]> {
  const parameters = new Parameters()
  const selects = relation.branches.map((branch) => {
    const source = branchSourceSql(branch, parameters)
    const restriction = projectRestriction(relation, branch, 't', { projectId, parameters }).join(' AND ')
    return `SELECT t.id FROM ${source} t WHERE ${restriction} AND (${condition})`
  })
  const found = await snapshot.rows({ text: selects.join(' UNION ALL '), values: parameters.values })
  return found.map(([id]) => Number(String(id).slice('call-'.length))).sort((a, b) => a - b)
}

/** The numbers of the calls with a value, or a word, for which files and rows are left out. */
const find = (bench: StoreBench, anyOf: AnyOf, conditions: RowConditions, sql: string): Promise<number[]> =>
  read(bench, async (snapshot) =>
    numbersIn(snapshot, await snapshot.relationWhere('calls', anyOf, {}, conditions), sql),
  )

/** How many calls statistics add up: by rollups, as far as these are in memory, and one by one. */
const addedCalls = (bench: StoreBench): Promise<{ readonly byRollups: number; readonly others: number }> =>
  read(bench, async (snapshot) => {
    const wanted = { range: undefined, whole: undefined, stepMicros: rollupSteps.hour, onlySums: true }
    const rolledUp = await snapshot.rolledUp('calls', wanted)
    const rest = rolledUp === undefined ? snapshot.relation('calls') : rolledUp.rest
    const others = rest === undefined ? 0 : (await numbersIn(snapshot, rest)).length
    const source = rolledUp?.sums.branches[0]?.source
    if (source?.kind !== 'table') return { byRollups: 0, others }
    const text = `SELECT coalesce(sum(calls), 0)::DOUBLE FROM "${source.name}" WHERE list_contains($1, file::VARCHAR)`
    const [row] = await snapshot.rows({ text, values: [{ texts: (source.fileNumbers ?? []).map(String) }] })
    return { byRollups: Number(row?.[0]), others }
  })

const statedCalls = async (bench: StoreBench): Promise<number> => {
  const { byRollups, others } = await addedCalls(bench)
  return byRollups + others
}

/** How many calls have an operation, for a list of all operations. */
const callsOf = (bench: StoreBench, operation: string): Promise<number> =>
  read(bench, async (snapshot) => {
    const found = await snapshot.valueCounts('calls', 'op_name')
    const rest = found?.rest ?? snapshot.relation('calls')
    const others = await numbersIn(snapshot, rest, `t.op_name = '${operation}'`)
    return (found?.counts.get(operation) ?? 0) + others.length
  })

/** Reads in each way a call that was deleted, one that still is, and one that never was. */
async function expectCalls(bench: StoreBench, deleted: ReadonlySet<number>): Promise<void> {
  for (const number of [5, 120, 700]) {
    const left = (numbers: readonly number[]) => numbers.filter((each) => !deleted.has(each))
    const first = number - (number % 4)
    const expected = left([number])
    const row = await bench.store.rowInFiles('calls', { projectId, id: idOf(number) }, ['id'])
    if (row !== undefined) expect(row?.['id']).toBe(expected.length > 0 ? idOf(number) : undefined)
    const byId = { id: [idOf(number)] }
    expect(await find(bench, byId, {}, `t.id = '${idOf(number)}'`)).toEqual(expected)
    const trace = `trace-${first / 4}`
    const ofTrace = left([first, first + 1, first + 2, first + 3])
    expect(await find(bench, { trace_id: [trace] }, {}, `t.trace_id = '${trace}'`)).toEqual(ofTrace)
    const customer = `customer-${number % 400}`
    const values = new Map([['inputs/customer', [JSON.stringify(customer)]]])
    const ofCustomer = left(every.filter((each) => each % 400 === number % 400))
    expect(await find(bench, {}, { values }, `t.inputs LIKE '%"${customer}"%'`)).toEqual(ofCustomer)
    const text = { kind: 'contains', text: `w${number}w`, ignoreCase: false } as const
    expect(await find(bench, {}, { text }, `t.inputs LIKE '%w${number}w%'`)).toEqual(expected)
    const ofOperation = left(every.filter((each) => Math.floor(each / 50) === Math.floor(number / 50)))
    expect(await callsOf(bench, `op-${Math.floor(number / 50)}`)).toBe(ofOperation.length)
  }
  const counted = await bench.store.countRows('calls', { projectId })
  if (counted !== undefined) expect(counted).toBe(calls - deleted.size)
  expect(await statedCalls(bench)).toBe(calls - deleted.size)
}

/** Waits until the store notices a commit of the other engine. */
const follows = async (bench: StoreBench, expected: number): Promise<void> =>
  await until(async () => (await statedCalls(bench)) === expected)

const firstHundred = every.slice(0, 100)

for (const of of ['another engine', 'this store'] as const) {
  test(`rows that a file of ${of} has again are found in each way at once`, async () => {
    await using table = await opened(of, firstHundred)
    const { bench } = table
    table.delete([])
    await follows(bench, calls)
    await expectCalls(bench, new Set())
    await bench.store.write('calls', [callRow(projectId, 5, { display_name: 'changed' })])
    const seen = await visibleRows(bench.store, callsTable, projectId)
    expect(idsOf(seen)).toEqual(every.map(idOf).sort())
    expect(seen.find(({ id }) => id === idOf(5))).toMatchObject({ display_name: 'changed' })
    await bench.store.flush({ retainIncomplete: false })
    await bench.close()
    expect(await findLastingFaults(bench.tableFolder, ['project_id', 'id'])).toEqual([])
  }, 120_000)

  test(`a file of ${of} may have other rows again than those it loses`, async () => {
    await using table = await opened(of, firstHundred)
    const { bench } = table
    const others = every.slice(100, 150)
    table.delete(others)
    await follows(bench, calls - others.length)
    await expectCalls(bench, new Set(others))
  }, 120_000)

  test(`rows that a file of ${of} has again while the store is closed are found`, async () => {
    await using table = await opened(of, firstHundred)
    const { bench } = table
    await bench.close()
    table.delete([])
    bench.options.isMaintained = true
    await bench.reopen()
    await expectCalls(bench, new Set())
    await until(async () => (await tableFaults(bench.folder, callsTable)).length === 0)
    await expectCalls(bench, new Set())
  }, 120_000)
}

test('rows are found when another engine goes back to the file from before they were deleted', async () => {
  await using table = await opened('another engine', firstHundred)
  const { bench, other } = table
  const [before] = [...other.adds.keys()]
  bench.options.isMaintained = true
  await bench.reopen()
  await until(() => [...other.adds.keys()].every((path) => path !== before))
  await expectCalls(bench, new Set(firstHundred))
  const [rewritten] = [...other.adds.keys()] as [string]
  table.delete([], { insteadOf: rewritten })
  await follows(bench, calls)
  await expectCalls(bench, new Set())
}, 120_000)

test('an index of all rows is right with each deletion vector, and without one', async () => {
  await using table = await opened('this store', [], { isIndexed: true })
  const { bench } = table
  const isByRollups = async () => (await addedCalls(bench)).byRollups === calls
  await until(isByRollups)
  for (const deleted of [firstHundred, every.slice(100, 150), every.slice(0, 10)]) {
    table.delete(deleted)
    await follows(bench, calls - deleted.length)
    await expectCalls(bench, new Set(deleted))
    expect(await tableFaults(bench.folder, callsTable)).toEqual([])
  }
  table.delete([])
  await follows(bench, calls)
  await expectCalls(bench, new Set())
  await until(isByRollups)
}, 120_000)
