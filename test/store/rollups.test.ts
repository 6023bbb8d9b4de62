import { expect, test } from 'bun:test'
import { existsSync, readdirSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { TableLayout } from '../../src/engine/layout.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { rollupFaults } from '../../src/engine/verify/file-faults.ts'
import type { Row } from '../../src/lib/table.ts'
import { Database } from '../../src/runtime/duck/database.ts'
import { Writer } from '../../src/runtime/duck/writer.ts'
import { StoreBench } from './store-bench.ts'
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

const rollupsOf = ({ tableFolder }: StoreBench): string[] =>
  readdirSync(join(tableFolder, '_filters')).filter((name) => name.endsWith('.rollup'))

/** Calls that rollups in memory add up. */
const summedCalls = ({ store }: StoreBench): Promise<number> =>
  store.read(['calls'], { projectId }, async (snapshot) => {
    const of = { range: undefined, hours: undefined }
    const [branch] = (await snapshot.rolledUp('calls', of))?.sums.branches ?? []
    if (branch?.source.kind !== 'table') return 0
    const { name, fileNumbers = [] } = branch.source
    const text = `SELECT coalesce(sum(calls), 0)::DOUBLE FROM "${name}" WHERE file IN (${fileNumbers.join(', ')})`
    return (await snapshot.rows({ text, values: [] }))[0]![0] as number
  })

async function faultsOf(bench: StoreBench): Promise<string[]> {
  const layout = new TableLayout(bench.folder, 'calls')
  const fileName = readdirSync(bench.tableFolder).find((name) => name.endsWith('.parquet'))!
  const database = await Database.open({ memoryBytesMax: 256e6, temporaryFolder: join(bench.folder, 'tmp') })
  const writer = new Writer(await database.connect())
  try {
    const source = `read_parquet('${layout.parquet(fileName)}') t`
    return await rollupFaults(writer, callsTable, layout, { fileName, source })
  } finally {
    writer.close()
    database.close()
  }
}

test('a data file has a rollup that verifies', async () => {
  await using bench = await filled()
  expect(rollupsOf(bench)).toHaveLength(1)
  expect(await faultsOf(bench)).toEqual([])
  await until(async () => (await summedCalls(bench)) === rowsPerFile)
}, 120_000)

test('a rollup of other rows does not verify', async () => {
  await using bench = await filled(2)
  const [one, other] = rollupsOf(bench).map((name) => join(bench.tableFolder, '_filters', name)) as [string, string]
  renameSync(one, `${one}.aside`)
  renameSync(other, one)
  renameSync(`${one}.aside`, other)
  expect(await faultsOf(bench)).toEqual(['has a rollup of other rows; delete it, and a running server rebuilds it'])
}, 120_000)

test('missing and damaged rollups are written again', async () => {
  await using bench = await filled(2)
  await bench.close()
  const [one, other] = rollupsOf(bench).map((name) => join(bench.tableFolder, '_filters', name)) as [string, string]
  rmSync(one)
  truncateSync(other, 100)
  await bench.reopen()
  await until(async () => (await summedCalls(bench)) === 2 * rowsPerFile)
  expect(await faultsOf(bench)).toEqual([])
}, 120_000)

test('rollups of replaced files are removed', async () => {
  await using bench = await filled(2)
  const before = rollupsOf(bench)
  await until(async () => (await summedCalls(bench)) === 2 * rowsPerFile)
  await bench.store.compact()
  await until(async () => (await summedCalls(bench)) === 2 * rowsPerFile)
  await bench.removeReplaced()
  for (const name of before) expect(existsSync(join(bench.tableFolder, '_filters', name))).toBe(false)
  expect(rollupsOf(bench)).toHaveLength(1)
}, 120_000)
