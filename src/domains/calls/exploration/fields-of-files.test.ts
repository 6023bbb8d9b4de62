import { afterAll, beforeAll, expect, test } from 'bun:test'
import { callRow } from '../../../../test/store/call-row.ts'
import { changeLimits } from '../../../../test/store/change-limits.ts'
import { StoreBench } from '../../../../test/store/store-bench.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { dialects } from '../../../formats/dialect/dialect.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { ReadCost, withReadCost } from '../../../runtime/platform/read-cost.ts'
import type { ProjectReader } from '../../access/caller.ts'
import type { Costs } from '../../costs/costs.ts'
import { FieldFinder } from './call-fields.ts'

const perFile = explorationLimits.fieldsCallsMax + 100
const changed = { fieldsFileRowsMin: 100, valueIndexRowsMin: 1 }
let restore = (): void => {}
beforeAll(() => {
  restore = changeLimits(changed)
})
afterAll(() => restore())

const projectId = 'acme/2'
const reader = { projectId } as ProjectReader

const rowOf = (project: string, at: number, inputs: object) => callRow(project, at, { inputs: JSON.stringify(inputs) })

/** Two files: the calls of the second one lack a field of the first, and have another. */
async function withCalls(): Promise<StoreBench> {
  const bench = await StoreBench.open([callsTable], { isMaintained: false })
  for (const [file, name] of ['old', 'recent'].entries()) {
    const numbers = Array.from({ length: perFile }, (_, at) => file * perFile + at)
    const rows = numbers.map((at) => rowOf(projectId, at, { both: at, [name]: at % 2 === 0 ? 'even' : at % 5 }))
    const others = numbers.map((at) => rowOf('acme/1', at, { [`secret-${name}`]: 'theirs' }))
    await bench.store.write('calls', [...rows, ...others])
    await bench.store.flush()
  }
  return bench
}

function finderOf(bench: StoreBench) {
  const finder = new FieldFinder({ store: bench.store, costs: {} as Costs, dialect: dialects.ext })
  return async (more: object = {}) => {
    const found = await finder.find(reader, { project_id: projectId, ...more }, new AbortController().signal)
    expect(JSON.stringify(found)).not.toContain('secret')
    expect(JSON.stringify(found)).not.toContain('theirs')
    return { ...found, at: (path: string) => found.fields.find((field) => field.path === path) }
  }
}

test('fields are those of the newest calls in a file, and those that older files state', async () => {
  await using bench = await withCalls()
  const ask = finderOf(bench)
  const first = await ask()
  expect(first).toMatchObject({ calls_read: explorationLimits.fieldsCallsMax, is_sample: true, is_partial: false })
  expect(first.at('inputs.recent')).toMatchObject({ share: 1, types: expect.arrayContaining(['string', 'number']) })
  expect(first.at('inputs.both')).toMatchObject({ share: 1, types: ['number'] })
  expect(first.at('inputs.old')).toMatchObject({ share: 0.5, types: expect.arrayContaining(['string', 'number']) })
  expect(first.at('inputs.old')!.examples[0]).toBe('even')
  const cost = new ReadCost()
  expect((await withReadCost(cost, () => ask())).fields).toEqual(first.fields)
  expect(cost.statements).toBe(0)
  const prefixed = await ask({ prefix: 'inputs.' })
  expect(prefixed.fields.map(({ path }) => path).toSorted()).toEqual(['inputs.both', 'inputs.old', 'inputs.recent'])
})

test('newer calls in memory add their fields', async () => {
  await using bench = await withCalls()
  const ask = finderOf(bench)
  await ask()
  await bench.store.write('calls', [rowOf(projectId, 2 * perFile, { new: true })])
  const found = await ask()
  expect(found.calls_read).toBe(explorationLimits.fieldsCallsMax + 1)
  expect(found.at('inputs.new')).toMatchObject({ examples: [true], types: ['boolean'] })
})

test('nothing is known any more of a call that was deleted or changed', async () => {
  await using bench = await withCalls()
  const ask = finderOf(bench)
  const newest = 2 * perFile - 1
  await bench.store.write('calls', [rowOf(projectId, newest, { marker: 'to be changed' })])
  await bench.store.flush()
  expect((await ask()).at('inputs.marker')).toBeDefined()
  await bench.store.write('calls', [rowOf(projectId, newest, { other: 1 })])
  const changed = await ask()
  expect(changed.at('inputs.marker')).toBeUndefined()
  expect(changed.at('inputs.other')).toBeDefined()
  await bench.store.write('calls', [callsTable.tombstone(projectId, `call-${newest}`, bench.nowMs * 1000)])
  expect((await ask()).at('inputs.other')).toBeUndefined()
})

test('a question with a condition is answered from the calls that meet it', async () => {
  await using bench = await withCalls()
  const ask = finderOf(bench)
  await ask()
  const query = { $expr: { $eq: [{ $getField: 'inputs.both' }, { $literal: 3 }] } }
  const found = await ask({ query })
  expect(found).toMatchObject({ calls_read: 1, is_sample: false })
  expect(found.at('inputs.recent')).toBeUndefined()
  expect((await ask({ filter: { trace_roots_only: true } })).at('inputs.old')).toBeUndefined()
})
