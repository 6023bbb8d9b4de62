import { expect, test } from 'bun:test'
import { existsSync, truncateSync } from 'node:fs'
import { rollupSteps } from '../../src/engine/rollups/rollup-steps.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import type { Row } from '../../src/lib/table.ts'
import { damageSection, indexFiles, replaceSection, sectionsOf } from './index-files.ts'
import { StoreBench } from './store-bench.ts'
import { tableFaults } from './table-faults.ts'
import { until } from './until.ts'

const projectId = 'acme/rollups'
const rowsPerFile = 1_200

function callOf(number: number): Row {
  const startedAt = 1_774_000_000_000_000 + (number % 4) * 3_600_000_000
  const cells: Record<string, Row[number]> = {
    project_id: projectId,
    id: `call-${number}`,
    trace_id: 't',
    op_name: 'answer',
    started_at: startedAt,
    ended_at: startedAt + number * 1000,
    attributes: '{}',
    inputs: '{}',
    ext_user_id: 'u',
    written_at: startedAt,
  }
  return callsTable.columns.map(({ name }) => cells[name] ?? null)
}

async function filled(files = 1): Promise<StoreBench> {
  const bench = await StoreBench.open([callsTable])
  for (let file = 0; file < files; file++) {
    const rows = Array.from({ length: rowsPerFile }, (_, at) => callOf(file * rowsPerFile + at))
    await bench.store.write('calls', rows)
    await bench.store.flush({ retainIncomplete: false })
  }
  return bench
}

/** Calls that rollups in memory add up. */
const summedCalls = ({ store }: StoreBench): Promise<number> =>
  store.read(['calls'], { projectId }, async (snapshot) => {
    const of = { range: undefined, whole: undefined, stepMicros: rollupSteps.hour }
    const [branch] = (await snapshot.rolledUp('calls', of))?.sums.branches ?? []
    if (branch?.source.kind !== 'table') return 0
    const { name, fileNumbers = [] } = branch.source
    const text = `SELECT coalesce(sum(calls), 0)::DOUBLE FROM "${name}" WHERE file IN (${fileNumbers.join(', ')})`
    return (await snapshot.rows({ text, values: [] }))[0]![0] as number
  })

test('a data file has a rollup that verifies', async () => {
  await using bench = await filled()
  expect(indexFiles(bench)).toHaveLength(1)
  expect(await tableFaults(bench.folder, callsTable)).toEqual([])
  await until(async () => (await summedCalls(bench)) === rowsPerFile)
}, 120_000)

test('sums are all there is to read unless rows are in memory', async () => {
  await using bench = await filled()
  await until(async () => (await summedCalls(bench)) === rowsPerFile)
  const others = () =>
    bench.store.read(['calls'], { projectId }, async (snapshot) => {
      const of = { range: undefined, whole: undefined, stepMicros: rollupSteps.hour }
      return (await snapshot.rolledUp('calls', of))?.rest?.branches.map(({ source }) => source.kind)
    })
  expect(await others()).toBeUndefined()
  await bench.store.write('calls', [callOf(rowsPerFile)])
  expect(await others()).toEqual(['table'])
}, 120_000)

test('a rollup of other rows does not verify', async () => {
  await using bench = await filled(2)
  const [one, other] = indexFiles(bench) as [string, string]
  const ofOther = (await sectionsOf(other)).find(({ name }) => name === 'rollup')!
  await replaceSection(one, 'rollup', ofOther.content)
  expect(await tableFaults(bench.folder, callsTable)).toEqual([
    'has a rollup of other rows; delete the index, and a running server rebuilds it',
  ])
}, 120_000)

test('missing and damaged rollups are written again', async () => {
  await using bench = await filled(3)
  await bench.close()
  const [one, second, third] = indexFiles(bench) as [string, string, string]
  await replaceSection(one, 'rollup')
  truncateSync(second, 100)
  await damageSection(third, 'rollup')
  await bench.reopen()
  await until(async () => (await summedCalls(bench)) === 3 * rowsPerFile)
  expect(await tableFaults(bench.folder, callsTable)).toEqual([])
}, 120_000)

test('rollups of replaced files are removed', async () => {
  await using bench = await filled(2)
  const before = indexFiles(bench)
  await until(async () => (await summedCalls(bench)) === 2 * rowsPerFile)
  await bench.store.compact()
  await until(async () => (await summedCalls(bench)) === 2 * rowsPerFile)
  await bench.removeReplaced()
  for (const name of before) expect(existsSync(name)).toBe(false)
  expect(indexFiles(bench)).toHaveLength(1)
}, 120_000)
