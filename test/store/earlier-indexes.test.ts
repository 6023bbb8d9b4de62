import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findSections } from '../../src/engine/index-file/index-file.ts'
import { sectionNames, sectionVersions } from '../../src/engine/index-file/index-file-format.ts'
import { BloomFilter, hashValue, KeyHashCollector } from '../../src/engine/keys/bloom-filter.ts'
import { bytesOfKeys } from '../../src/engine/keys/key-file.ts'
import { TableLayout } from '../../src/engine/layout.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import type { Cell, Row } from '../../src/lib/table.ts'
import { HeldSnapshot } from './held-snapshot.ts'
import { indexFiles, sectionsOf } from './index-files.ts'
import { findLastingFaults } from './lasting-faults.ts'
import { StoreBench } from './store-bench.ts'
import { tableFaults } from './table-faults.ts'
import { until } from './until.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

const projectId = 'acme/old'
const rowsPerFile = 1_200

const { valueIndexRowsMin, valueIndexBlockRows, textFilterBytesMin } = storageLimits
beforeAll(
  () => void Object.assign(storageLimits, { valueIndexRowsMin: 500, valueIndexBlockRows: 64, textFilterBytesMin: 1 }),
)
afterAll(() => void Object.assign(storageLimits, { valueIndexRowsMin, valueIndexBlockRows, textFilterBytesMin }))

function callOf(number: number, more: Record<string, Cell> = {}): Row {
  const startedAt = 1_774_000_000_000_000 + (number % 4) * 3_600_000_000
  const cells: Record<string, Cell> = {
    project_id: projectId,
    id: `call-${number}`,
    trace_id: `trace-${Math.floor(number / 8)}`,
    op_name: 'answer',
    started_at: startedAt,
    ended_at: startedAt + number * 1000,
    attributes: '{}',
    inputs: '{}',
    ext_user_id: 'u',
    written_at: startedAt,
    ...more,
  }
  return callsTable.columns.map(({ name }) => cells[name] ?? null)
}

/** Numbers of the calls of a file. */
const numbersOf = (file: number): number[] => Array.from({ length: rowsPerFile }, (_, at) => file * rowsPerFile + at)

/** Replaces an index file by the files that versions before it wrote, with their hashes. */
async function asBefore(bench: StoreBench, path: string, file: number): Promise<void> {
  const fileName = basename(path, '.index')
  const places = new TableLayout(bench.folder, 'calls').earlierIndexes(fileName)
  const keys = new KeyHashCollector()
  const filter = BloomFilter.withCapacity(3 * rowsPerFile)
  for (const number of numbersOf(file)) {
    const hash = hashValue('id', projectId, `call-${number}`, 'xxh32')
    keys.add(hash)
    filter.add(hash)
    filter.add(hashValue('trace_id', projectId, `trace-${Math.floor(number / 8)}`, 'xxh32'))
  }
  const contents = { bloom: filter.toBytes(), keys: bytesOfKeys(keys.sorted()) }
  for (const { name, content } of await sectionsOf(path))
    if (name !== 'hashes') writeFileSync(places[name], name === 'bloom' || name === 'keys' ? contents[name] : content)
  rmSync(path)
}

/** A folder as an earlier version left it, closed. */
async function oldFolder(isMaintained: boolean): Promise<StoreBench> {
  const bench = await StoreBench.open([callsTable], { isMaintained })
  for (const file of [0, 1]) {
    await bench.store.write(
      'calls',
      numbersOf(file).map((number) => callOf(number)),
    )
    await bench.store.flush({ retainIncomplete: false })
  }
  await bench.close()
  const paths = indexFiles(bench).sort()
  expect(paths).toHaveLength(2)
  for (const [file, path] of paths.entries()) await asBefore(bench, path, file)
  expect(readdirSync(join(bench.tableFolder, '_filters')).filter((name) => name.startsWith('part-'))).toHaveLength(10)
  return bench
}

async function changeOne(bench: StoreBench, number: number): Promise<void> {
  await bench.store.write('calls', [callOf(number, { display_name: 'changed' })])
  await using _ = await HeldSnapshot.ofLookup(bench.store, { tables: ['calls'] })
}

const expectedIds = [...numbersOf(0), ...numbersOf(1)].map((number) => `call-${number}`).sort()

test('a folder with an index of five files is read as it is', async () => {
  await using bench = await oldFolder(false)
  expect(await tableFaults(bench.folder, callsTable)).toEqual([])
  await bench.reopen()
  await changeOne(bench, 7)
  await changeOne(bench, rowsPerFile + 7)
  expect(idsOf(await visibleRows(bench.store, callsTable, projectId))).toEqual(expectedIds)
  await bench.store.flush({ retainIncomplete: false })
  expect(idsOf(await visibleRows(bench.store, callsTable, projectId))).toEqual(expectedIds)
  await bench.close()
  expect(await findLastingFaults(bench.tableFolder, ['project_id', 'id'])).toEqual([])
}, 120_000)

test('five files become one index in the background, and are removed', async () => {
  await using bench = await oldFolder(true)
  await bench.reopen()
  await changeOne(bench, 7)
  expect(idsOf(await visibleRows(bench.store, callsTable, projectId))).toEqual(expectedIds)
  const names = () => readdirSync(join(bench.tableFolder, '_filters')).filter((name) => name.startsWith('part-'))
  await until(async () => {
    // Readers release what they hold.
    await using _ = await HeldSnapshot.ofLookup(bench.store, { tables: ['calls'] })
    return names().length === 2 && names().every((name) => name.endsWith('.index'))
  })
  for (const path of indexFiles(bench)) {
    const sections = (await findSections(path))!
    expect([...sections.keys()]).toEqual([...sectionNames])
    for (const name of sectionNames)
      expect(sections.get(name)).toMatchObject({
        version: name === 'texts' || name === 'rollup' ? 1 : sectionVersions[name],
      })
  }
  await changeOne(bench, 9)
  expect(idsOf(await visibleRows(bench.store, callsTable, projectId))).toEqual(expectedIds)
  await bench.store.flush({ retainIncomplete: false })
  await bench.close()
  expect(await tableFaults(bench.folder, callsTable)).toEqual([])
  expect(await findLastingFaults(bench.tableFolder, ['project_id', 'id'])).toEqual([])
}, 120_000)

test('old files that a crash left beside their index are removed at the next start', async () => {
  await using bench = await oldFolder(true)
  const layout = new TableLayout(bench.folder, 'calls')
  const left = readdirSync(join(bench.tableFolder, '_filters')).find((name) => name.endsWith('.keys'))!
  const fileName = basename(left, '.keys')
  await bench.reopen()
  await until(() => existsSync(layout.index(fileName)))
  await bench.close()
  for (const path of Object.values(layout.earlierIndexes(fileName))) writeFileSync(path, 'old')
  await bench.reopen()
  for (const path of Object.values(layout.earlierIndexes(fileName))) expect(existsSync(path)).toBe(false)
  expect(idsOf(await visibleRows(bench.store, callsTable, projectId))).toEqual(expectedIds)
}, 120_000)
