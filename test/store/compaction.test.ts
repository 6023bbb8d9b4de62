import { expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { changeLimits } from './change-limits.ts'
import { parquetFiles, queryDuckDb, readDeltaTable } from './folder-state.ts'
import { HeldSnapshot } from './held-snapshot.ts'
import { findLastingFaults } from './lasting-faults.ts'
import { closedNote, noteRow, notesTable, removal } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'
import { idsOf, rowsIn, visibleRows } from './visible-rows.ts'

const key = ['project', 'id'] as const
const parquetNames = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.parquet'))

/** One file for each id. */
async function flushEach(bench: StoreBench, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await bench.store.write('notes', [closedNote(id)])
    await bench.store.flush()
  }
}

test('merged files hold the same rows, in order, and nothing else is left', async () => {
  await using bench = await StoreBench.open()
  const ids = ['e', 'c', 'a', 'd', 'b']
  await flushEach(bench, ids)
  const before = await visibleRows(bench.store)
  expect((await readDeltaTable(bench.tableFolder)).files).toHaveLength(5)
  await bench.store.compact()
  expect(await visibleRows(bench.store)).toEqual(before)
  const { files, version } = await readDeltaTable(bench.tableFolder)
  expect(files.map(({ stats }) => stats.numRecords)).toEqual([5])
  await bench.removeReplaced()
  expect(parquetNames(bench.tableFolder)).toEqual(files.map(({ path }) => path))
  expect(readdirSync(join(bench.tableFolder, '_filters')).sort()).toEqual([`${files[0]!.path}.index`])
  const stored = await queryDuckDb(`SELECT id FROM ${parquetFiles(bench.tableFolder, files)}`)
  expect(stored.map(({ id }) => id)).toEqual(ids.toSorted())
  await bench.store.compact()
  expect((await readDeltaTable(bench.tableFolder)).version).toBe(version)
  expect(await findLastingFaults(bench.tableFolder, key)).toEqual([])
  await bench.reopen()
  expect(await visibleRows(bench.store)).toEqual(before)
})

test('the commit says that no data has changed', async () => {
  await using bench = await StoreBench.open()
  await flushEach(bench, ['a', 'b'])
  await bench.store.compact()
  const { version } = await readDeltaTable(bench.tableFolder)
  const commit = readFileSync(
    join(bench.tableFolder, '_delta_log', `${String(version).padStart(20, '0')}.json`),
    'utf8',
  )
  const actions = commit
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(actions.map((action) => Object.keys(action)[0])).toEqual(['commitInfo', 'remove', 'remove', 'add'])
  expect(actions.slice(1).map((action) => (action.remove ?? action.add).dataChange)).toEqual([false, false, false])
})

test('rows hidden or changed by the memtable stay so over merged files', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await flushEach(bench, ['changed', 'kept', 'removed', 'later'])
  await store.write('notes', [noteRow({ id: 'changed', votes: 1 }), removal('removed')])
  const before = await visibleRows(store)
  expect(idsOf(before)).toEqual(['changed', 'kept', 'later'])
  await store.compact()
  expect(await visibleRows(store)).toEqual(before)
  await store.write('notes', [noteRow({ id: 'later', votes: 2 })])
  await store.flush()
  await store.compact()
  expect(await visibleRows(store)).toMatchObject([
    { id: 'changed', votes: 1 },
    { id: 'kept' },
    { id: 'later', votes: 2 },
  ])
  await bench.removeReplaced()
  expect(await findLastingFaults(bench.tableFolder, key)).toEqual([])
})

test('a reader keeps its snapshot, and its files until it is done', async () => {
  await using bench = await StoreBench.open([notesTable], { isMaintained: false })
  await flushEach(bench, ['a', 'b', 'c'])
  const held = await HeldSnapshot.ofLookup(bench.store)
  await bench.store.compact()
  await bench.store.write('notes', [removal('b')])
  await bench.store.flush()
  await bench.removeReplaced({ isHeld: true })
  expect(idsOf(await rowsIn(held.snapshot))).toEqual(['a', 'b', 'c'])
  await held.release()
  const { files } = await readDeltaTable(bench.tableFolder)
  expect(parquetNames(bench.tableFolder)).toEqual(files.map(({ path }) => path))
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'c'])
})

test('writes and flushes continue during compaction', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  const ids = Array.from({ length: 24 }, (_, i) => `id-${String(i).padStart(2, '0')}`)
  let compacting: Promise<void> = Promise.resolve()
  for (const id of ids) {
    await store.write('notes', [closedNote(id)])
    compacting = store.compact()
    await store.flush()
    await store.write('notes', [noteRow({ id, votes: 1 })])
  }
  await compacting
  const rows = await visibleRows(store)
  expect(idsOf(rows)).toEqual(ids)
  expect(rows.every(({ votes }) => votes === 1)).toBe(true)
  await bench.reopen()
  expect(await visibleRows(bench.store)).toEqual(rows)
  expect(await findLastingFaults(bench.tableFolder, key)).toEqual([])
})

test('compaction runs in the background', async () => {
  await using bench = await StoreBench.open()
  const ids = Array.from({ length: 40 }, (_, i) => `id-${i}`)
  await flushEach(bench, ids)
  const files = async () => (await readDeltaTable(bench.tableFolder)).files.length
  await until(async () => (await files()) <= 12)
  expect(await visibleRows(bench.store)).toHaveLength(40)
}, 120_000)

for (const point of ['nothing', 'the new file', 'the commit'] as const) {
  test(`a crash during compaction after ${point} loses and duplicates nothing`, async () => {
    await using bench = await StoreBench.open()
    await flushEach(bench, ['a', 'b', 'c'])
    await bench.store.write('notes', [removal('b'), closedNote('d')])
    const expected = await visibleRows(bench.store)
    await using crashed = await StoreBench.closedCopyOf(bench)
    await bench.store.compact()
    if (point !== 'nothing') {
      for (const name of parquetNames(bench.tableFolder))
        if (!existsSync(join(crashed.tableFolder, name))) {
          cpSync(join(bench.tableFolder, name), join(crashed.tableFolder, name))
          // The marker exists before the file has its name, until the commit.
          writeFileSync(join(crashed.tableFolder, '_unfinished', name), '')
        }
    }
    if (point === 'the commit')
      cpSync(join(bench.tableFolder, '_delta_log'), join(crashed.tableFolder, '_delta_log'), { recursive: true })
    await using after = await StoreBench.afterCrashOf(crashed)
    expect(await visibleRows(after.store)).toEqual(expected)
    expect((await readDeltaTable(after.tableFolder)).files).toHaveLength(point === 'the commit' ? 1 : 3)
    expect(await findLastingFaults(after.tableFolder, key)).toEqual([])
  })
}

test('a file that was merged from a pair stays one when its rows change', async () => {
  using stack = new DisposableStack()
  // Full files have 100 rows, and a rewrite splits files of more than 125.
  stack.defer(changeLimits({ memtableRowsMax: 100, rewriteRowsMax: 125 }))
  await using bench = await StoreBench.open([notesTable], { isMaintained: false })
  for (let file = 0; file < 2; file++) {
    const rows = Array.from({ length: 70 }, (_, row) => {
      const opened = (bench.nowMs + file * 1000 + row) * 1000
      return closedNote(`${file}-${row}`, { opened, closed: opened + 5 })
    })
    await bench.store.write('notes', rows)
    await bench.store.flush()
  }
  const sizes = async () => (await readDeltaTable(bench.tableFolder)).files.map(({ stats }) => stats.numRecords)
  expect(await sizes()).toEqual([70, 70])
  await bench.store.compact()
  expect(await sizes()).toEqual([140])
  await bench.store.write('notes', [removal('0-3')])
  await bench.store.flush()
  expect(await sizes()).toEqual([139])
  expect(await visibleRows(bench.store)).toHaveLength(139)
})
