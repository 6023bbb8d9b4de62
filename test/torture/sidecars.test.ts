import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { readSection } from '../../src/engine/index-file/index-file.ts'
import { indexedFile } from '../../src/engine/layout.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { queryDuckDb } from '../store/folder-state.ts'
import { indexFiles, placeOf } from '../store/index-files.ts'
import { findLastingFaults } from '../store/lasting-faults.ts'
import { Random, seedOr } from '../store/random.ts'
import type { StoreBench } from '../store/store-bench.ts'
import { until } from '../store/until.ts'
import { idsOf, visibleRows } from '../store/visible-rows.ts'
import {
  callsOfFile,
  eraseProject,
  goneProject,
  keptProject,
  openCalls,
  withSmallSidecars,
} from './store/sidecar-calls.ts'

setDefaultTimeout(300_000)

const { valueIndexRowsMin, valueIndexBlockRows } = storageLimits
const parent = mkdtempSync(join(tmpdir(), 'tracelake-sidecars-'))
const random = new Random(seedOr(Math.floor(Math.random() * 2 ** 31)))
beforeAll(withSmallSidecars)
afterAll(() => {
  Object.assign(storageLimits, { valueIndexRowsMin, valueIndexBlockRows })
  rmSync(parent, { recursive: true, force: true })
})

const killer = join(import.meta.dir, 'files/kill-at-sidecar-program.ts')
const program = join(import.meta.dir, 'store/sidecar-program.ts')

interface Life {
  /** Numbers of the files whose calls were acknowledged. */
  readonly acknowledged: readonly number[]
  readonly isKilled: boolean
}

/** Runs the program until its operation number `at` on files with `name` in their names. */
async function live(folder: string, task: 'fill' | 'erase', name: string, at: number): Promise<Life> {
  const env = { ...process.env, TORTURE_KILL_AT: String(at), TORTURE_KILL_NAME: name }
  const words = [process.execPath, '--preload', killer, program, folder, task]
  const child = Bun.spawn(words, { env, stdout: 'pipe', stderr: 'pipe' })
  const errors = new Response(child.stderr).text()
  const said = await new Response(child.stdout).text()
  const isKilled = (await child.exited) !== 0
  if (isKilled && child.signalCode !== 'SIGKILL') throw new Error(await errors)
  return { acknowledged: said.split('\n').filter(Boolean).map(Number), isKilled }
}

const filtersOf = (bench: StoreBench): string[] => readdirSync(join(bench.tableFolder, '_filters'))
const dataFilesOf = (bench: StoreBench): string[] =>
  readdirSync(bench.tableFolder).filter((name) => name.endsWith('.parquet'))

/** How many calls of a trace are found by way of the value indexes. */
async function callsOfTrace({ store }: StoreBench, projectId: string, trace: string): Promise<number> {
  return await store.read(['calls'], { projectId }, async (snapshot) => {
    const values = new Map([['trace_id', [trace]]])
    const { branches } = await snapshot.relationWhere('calls', {}, { paths: [] }, { values })
    let found = 0
    for (const { source } of branches) {
      const ranges = source.kind === 'files' ? source.rowRanges : undefined
      const rows = ranges?.map(([first, last]) => `file_row_number BETWEEN ${first} AND ${last}`).join(' OR ')
      const from =
        source.kind === 'table'
          ? `"${source.name}"`
          : `read_parquet([${source.paths.map((path) => `'${path}'`).join()}], file_row_number = true)`
      const text = `SELECT count(*)::DOUBLE FROM ${from}
        WHERE project_id = '${projectId}' AND trace_id = '${trace}' AND (${rows || 'true'})`
      found += (await snapshot.rows({ text, values: [] }))[0]![0] as number
    }
    return found
  })
}

/** Waits until each data file has its sidecars, and nothing else is left beside them. */
async function expectSidecars(bench: StoreBench): Promise<void> {
  await until(() => {
    const names = filtersOf(bench)
    return dataFilesOf(bench).every((name) => names.includes(`${name}.index`))
  })
  for (const path of indexFiles(bench))
    for (const name of ['values', 'rollup'] as const) expect((await placeOf(path, name))?.bytes).toBeGreaterThan(0)
  const strays = filtersOf(bench).filter((name) => {
    const dataFile = indexedFile(name)
    return dataFile === undefined ? !name.endsWith('.group') : !dataFilesOf(bench).includes(dataFile)
  })
  expect(strays).toEqual([])
}

/** A few operations of all, among them the first ones. */
const chosen = (last: number): number[] => [1, 2, 3, random.between(4, last), last]

for (const name of ['.index', '.rollup.tmp'])
  test(`a process killed while it writes ${name} files loses no answer and leaves nothing behind`, async () => {
    for (const at of chosen(10)) {
      const folder = join(parent, `fill${name}-${at}`)
      const { acknowledged, isKilled } = await live(folder, 'fill', name, at)
      if (at <= 3) expect(isKilled).toBe(true)
      await using bench = await openCalls(folder)
      const rows = acknowledged.flatMap(callsOfFile)
      const seen = await visibleRows(bench.store, callsTable, keptProject)
      const expected = rows.filter(([project]) => project === keptProject).map((row) => row[callsTable.at.id] as string)
      expect(idsOf(seen)).toEqual(expected.sort())
      expect(await callsOfTrace(bench, keptProject, 'trace-7')).toBe(4 * acknowledged.length)
      await bench.store.flush({ retainIncomplete: false })
      expect(await callsOfTrace(bench, keptProject, 'trace-7')).toBe(4 * acknowledged.length)
      await bench.removeReplaced()
      await expectSidecars(bench)
      expect(await callsOfTrace(bench, keptProject, 'trace-7')).toBe(4 * acknowledged.length)
      await bench.close()
      expect(await findLastingFaults(bench.tableFolder, ['project_id', 'id'])).toEqual([])
    }
  })

/** Sidecars that have values of the erased project. */
async function sidecarsWithErased(bench: StoreBench): Promise<string[]> {
  const found: string[] = []
  for (const name of filtersOf(bench)) {
    const bytes = readFileSync(join(bench.tableFolder, '_filters', name))
    if (bytes.includes('secret') || bytes.includes(goneProject)) found.push(name)
  }
  for (const path of indexFiles(bench)) {
    const values = Buffer.from((await readSection((await placeOf(path, 'values'))!))!)
    if (values.includes('secret') || values.includes(goneProject)) found.push(`${path}: values`)
    const [row] = await queryDuckDb(
      `SELECT count(*)::DOUBLE AS n FROM read_parquet('${path}') r WHERE r::VARCHAR LIKE '%${goneProject}%'`,
    )
    if (Object.values(row!)[0] !== 0) found.push(`${path}: rollup`)
  }
  return found
}

test('a process killed while it erases a project leaves none of its values in sidecars', async () => {
  const filled = join(parent, 'filled')
  await live(filled, 'fill', '.index', 0)
  const name = '.index'
  for (const at of [1, random.between(2, 4), random.between(5, 8)]) {
    const folder = join(parent, `erase${name}-${at}`)
    cpSync(filled, folder, { recursive: true })
    const { isKilled } = await live(folder, 'erase', name, at)
    await using bench = await openCalls(folder)
    if (at === 1) {
      expect(isKilled).toBe(true)
      // Otherwise the search below could not find anything either.
      const before = await sidecarsWithErased(bench)
      for (const ending of ['values', 'rollup']) expect(before.some((file) => file.endsWith(ending))).toBe(true)
    }
    await eraseProject(bench)
    await bench.removeReplaced()
    expect(await visibleRows(bench.store, callsTable, goneProject)).toEqual([])
    expect(await callsOfTrace(bench, goneProject, 'trace-7')).toBe(0)
    expect(await callsOfTrace(bench, keptProject, 'trace-7')).toBe(8)
    await expectSidecars(bench)
    expect(await sidecarsWithErased(bench)).toEqual([])
    expect(existsSync(join(bench.tableFolder, '_quarantine'))).toBe(false)
    await bench.close()
    expect(await findLastingFaults(bench.tableFolder, ['project_id', 'id'])).toEqual([])
  }
})
