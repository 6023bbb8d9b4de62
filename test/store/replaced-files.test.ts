import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { mkdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { parquetFiles, queryDuckDb, readDeltaTable } from './folder-state.ts'
import { findLastingFaults } from './lasting-faults.ts'
import { closedNote, removal } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

const parquetNames = ({ tableFolder }: StoreBench): string[] =>
  readdirSync(tableFolder).filter((name) => name.endsWith('.parquet'))

const namedFiles = async ({ tableFolder }: StoreBench): Promise<string[]> =>
  (await readDeltaTable(tableFolder)).files.map(({ path }) => path)

/** Two files and their replacement; the table as it was before. */
async function replaceTwo(bench: StoreBench) {
  for (const id of ['a', 'b']) {
    await bench.store.write('notes', [closedNote(id)])
    await bench.store.flush()
  }
  const before = (await readDeltaTable(bench.tableFolder)).files
  await bench.store.compact()
  return before
}

test('files that another program found in the Delta log stay readable for some minutes', async () => {
  await using bench = await StoreBench.open()
  const before = await replaceTwo(bench)
  bench.nowMs += storageLimits.replacedFilesKeptMs - 1
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'b'])
  const rows = await queryDuckDb(`SELECT id FROM ${parquetFiles(bench.tableFolder, before)} ORDER BY id`)
  expect(rows.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(readdirSync(join(bench.tableFolder, '_filters'))).toHaveLength(3)
  bench.nowMs++
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'b'])
  // Work in the background may be removing them, or hold them for a moment.
  await until(() => readdirSync(join(bench.tableFolder, '_filters')).length === 1 && parquetNames(bench).length === 1)
  expect(parquetNames(bench)).toEqual(await namedFiles(bench))
})

test('replaced files are removed in the background, without reads or writes', async () => {
  await using bench = await StoreBench.open()
  await replaceTwo(bench)
  bench.nowMs += storageLimits.replacedFilesKeptMs
  await until(() => parquetNames(bench).length === 1)
  expect(parquetNames(bench)).toEqual(await namedFiles(bench))
}, 120_000)

test('a clean stop leaves only the current files of the table', async () => {
  await using bench = await StoreBench.open()
  await replaceTwo(bench)
  await bench.store.write('notes', [removal('a')])
  await bench.close()
  expect(parquetNames(bench)).toEqual(await namedFiles(bench))
  expect(await findLastingFaults(bench.tableFolder, ['project', 'id'])).toEqual([])
})

test('replaced files left by a crash are removed after the usual retention', async () => {
  await using bench = await StoreBench.open()
  await replaceTwo(bench)
  expect(parquetNames(bench)).toHaveLength(3)
  await using after = await StoreBench.afterCrashOf(bench)
  expect(parquetNames(after)).toHaveLength(3)
  await after.removeReplaced()
  expect(parquetNames(after)).toEqual(await namedFiles(after))
  expect(idsOf(await visibleRows(after.store))).toEqual(['a', 'b'])
})

test('a replaced file that cannot be removed holds up neither flushes nor other files', async () => {
  await using bench = await StoreBench.open(undefined, { isMaintained: false })
  const [stuck, other] = (await replaceTwo(bench)).map(({ path }) => path) as [string, string]
  const place = join(bench.tableFolder, stuck)
  await rm(place)
  await mkdir(place)
  bench.nowMs += storageLimits.replacedFilesKeptMs
  for (const id of ['c', 'd']) {
    await bench.store.write('notes', [closedNote(id)])
    await bench.store.flush()
  }
  expect(parquetNames(bench)).toContain(stuck)
  expect(parquetNames(bench)).not.toContain(other)
  expect(bench.store.state()).toMatchObject({ ok: true })
  await rmdir(place)
  bench.nowMs++
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'b', 'c', 'd'])
  expect(readdirSync(join(bench.tableFolder, '_filters'))).toHaveLength(3)
})
