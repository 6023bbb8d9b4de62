import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { readDeltaTable } from './folder-state.ts'
import { HeldSnapshot } from './held-snapshot.ts'
import { findLastingFaults } from './lasting-faults.ts'
import { closedNote, noteRow, openNote, removal, startMs } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'
import { idsOf, rowsIn, visibleRows } from './visible-rows.ts'

const key = ['project', 'id'] as const
const minute = 60_000

/** Files below a folder that contain a text. The store may remove some meanwhile. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && unlessRemoved(() => readFileSync(join(entry.parentPath, entry.name)))?.includes(text),
    )
    .map(({ name }) => name)
}

function unlessRemoved<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ENOENT') return undefined
    throw cause
  }
}

/** Gives the files of the Delta log the time of the bench's clock, as if it were the real one. */
function dateLog(bench: StoreBench): void {
  const folder = join(bench.tableFolder, '_delta_log')
  const seconds = bench.nowMs / 1000
  for (const name of readdirSync(folder)) unlessRemoved(() => utimesSync(join(folder, name), seconds, seconds))
}

async function eraseProject({ store }: StoreBench, project: string) {
  await store.erasure.hide(project)
  const erased = await store.erasure.eraseProject('notes', project)
  store.erasure.reveal(project)
  return erased
}

test('an erased project is in no data file and no log, and others keep their rows', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  for (const id of ['a', 'b'])
    await store.write('notes', [
      closedNote(id, { author: 'kept' }),
      closedNote(id, { project: 'gone', author: 'secret' }),
    ])
  await store.flush()
  await store.write('notes', [closedNote('alone', { project: 'gone', author: 'secret' })])
  await store.flush()
  // In memory: a row without its other half, and an end without a start.
  await store.write('notes', [openNote('open', { project: 'gone', author: 'secret' })])
  await store.write('notes', [noteRow({ project: 'gone', id: 'orphan', author: 'secret', closed: startMs * 1000 })])
  await store.write('notes', [removal('b')])
  const kept = await visibleRows(store)
  expect(await eraseProject(bench, 'gone')).toMatchObject({ left: 0, rows: 4, damaged: [] })
  expect(await visibleRows(store, undefined, 'gone')).toEqual([])
  expect(await visibleRows(store)).toEqual(kept)
  expect(idsOf(kept)).toEqual(['a'])
  await bench.removeReplaced()
  expect(filesWith(join(bench.tableFolder, '_wal'), 'secret')).toEqual([])
  const { files } = await readDeltaTable(bench.tableFolder)
  for (const { stats } of files) expect(JSON.stringify(stats)).not.toContain('secret')
  expect(await findLastingFaults(bench.tableFolder, key)).toEqual([])
  await bench.reopen()
  expect(await visibleRows(bench.store)).toEqual(kept)
  expect(await visibleRows(bench.store, undefined, 'gone')).toEqual([])
})

test('a project that is being erased reads as empty and refuses writes', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('a', { project: 'gone' }), closedNote('a')])
  await store.flush()
  await store.erasure.hide('gone')
  expect(await visibleRows(store, undefined, 'gone')).toEqual([])
  expect(await store.rowInFiles('notes', { projectId: 'gone', id: 'a' }, ['id'])).toBeNull()
  expect(idsOf(await visibleRows(store))).toEqual(['a'])
  expect(store.write('notes', [closedNote('b'), closedNote('b', { project: 'gone' })])).rejects.toMatchObject({
    type: 'StoreUnavailable',
  })
  await store.write('notes', [closedNote('c')])
  expect(idsOf(await visibleRows(store))).toEqual(['a', 'c'])
  await store.erasure.eraseProject('notes', 'gone')
  store.erasure.reveal('gone')
  await store.write('notes', [closedNote('a', { project: 'gone', title: 'anew' })])
  expect(await visibleRows(store, undefined, 'gone')).toMatchObject([{ id: 'a', title: 'anew' }])
})

test('rows before a time are erased, those without that time by their last write', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  const at = (ms: number) => ({ opened: ms * 1000, touched: ms * 1000 })
  await store.write('notes', [
    closedNote('old', at(startMs)),
    closedNote('new', at(startMs + minute)),
    closedNote('undated', { ...at(startMs), opened: undefined as never }),
    closedNote('late', { ...at(startMs + minute), opened: undefined as never }),
    closedNote('old', { ...at(startMs), project: 'other' }),
  ])
  await store.flush()
  const before = { column: 'opened', micros: (startMs + minute) * 1000 }
  expect(await store.erasure.eraseRows('notes', [{ projectId: 'p', before }])).toMatchObject({ rows: 2 })
  expect(idsOf(await visibleRows(store))).toEqual(['late', 'new'])
  expect(idsOf(await visibleRows(store, undefined, 'other'))).toEqual(['old'])
  const { version } = await readDeltaTable(bench.tableFolder)
  expect(await store.erasure.eraseRows('notes', [{ projectId: 'p', before }])).toMatchObject({ rows: 0 })
  expect((await readDeltaTable(bench.tableFolder)).version).toBe(version)
  expect(await findLastingFaults(bench.tableFolder, key)).toEqual([])
})

test('an open snapshot keeps erased rows, and their files, until it is closed', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('a', { project: 'gone' })])
  await bench.store.flush()
  const held = await HeldSnapshot.ofLookup(bench.store, { tables: ['notes'], projectId: 'gone' })
  await eraseProject(bench, 'gone')
  expect(idsOf(await rowsIn(held.snapshot, undefined, 'gone'))).toEqual(['a'])
  await held.release()
})

test('an erasure that was interrupted goes on after a crash', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  for (const id of ['a', 'b', 'c']) {
    await store.write('notes', [closedNote(id), closedNote(id, { project: 'gone' })])
    await store.flush()
  }
  await store.erasure.hide('gone')
  const abort = new AbortController()
  const onProgress = ({ done }: { done: number }) => void (done === 1 && abort.abort())
  const erasing = store.erasure.eraseProject('notes', 'gone', { signal: abort.signal, onProgress })
  expect(erasing).rejects.toMatchObject({ name: 'AbortError' })
  await erasing.catch(() => {})
  await using later = await StoreBench.afterCrashOf(bench)
  expect(idsOf(await visibleRows(later.store, undefined, 'gone'))).toHaveLength(2)
  expect(await eraseProject(later, 'gone')).toMatchObject({ rows: 2 })
  expect(idsOf(await visibleRows(later.store, undefined, 'gone'))).toEqual([])
  expect(idsOf(await visibleRows(later.store))).toEqual(['a', 'b', 'c'])
  expect(await findLastingFaults(later.tableFolder, key)).toEqual([])
})

test('the Delta log forgets erased values once old versions may go', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  await store.write('notes', [closedNote('a', { author: 'secret' }), closedNote('b')])
  await store.flush()
  expect(filesWith(bench.tableFolder, 'secret')).not.toEqual([])
  await store.write('notes', [removal('a')])
  await store.flush()
  dateLog(bench)
  const log = join(bench.tableFolder, '_delta_log')
  bench.nowMs += storageLimits.erasedHistoryCheckMs
  await until(() => existsSync(join(log, '_last_checkpoint')))
  expect(filesWith(log, 'secret')).not.toEqual([])
  dateLog(bench)
  bench.nowMs += storageLimits.replacedFilesKeptMs
  await until(() => filesWith(bench.tableFolder, 'secret').length === 0)
  expect(await findLastingFaults(bench.tableFolder, key)).toEqual([])
  await bench.reopen()
  expect(idsOf(await visibleRows(bench.store))).toEqual(['b'])
})

test('a deletion leaves the write-ahead log although nothing else is written', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('named-by-a-user')])
  await bench.store.flush()
  await bench.store.write('notes', [removal('named-by-a-user')])
  await bench.store.flush()
  const wal = join(bench.tableFolder, '_wal')
  expect(filesWith(wal, 'named-by-a-user')).not.toEqual([])
  bench.nowMs += storageLimits.retainedAgeMs + storageLimits.staleRowsCheckMs
  await until(() => filesWith(wal, 'named-by-a-user').length === 0)
})
