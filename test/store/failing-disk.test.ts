import { expect, spyOn, test } from 'bun:test'
import { mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import process from 'node:process'
import { discardFile, markUncommitted } from '../../src/engine/data-files/uncommitted-files.ts'
import { TableLayout } from '../../src/engine/layout.ts'
import { readLogFiles } from './folder-state.ts'
import { findLastingFaults } from './lasting-faults.ts'
import { closedNote, notesTable } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

/** A folder where the store wants to write a file makes the write fail, even for root. */
const obstruct = (path: string): void => void mkdirSync(path)
const clear = (path: string): void => rmSync(path, { recursive: true })

test('a failed log write rejects the request and stores nothing; the next write succeeds', async () => {
  await using bench = await StoreBench.open()
  const file = join(bench.tableFolder, '_wal', '0000000001.arrows')
  obstruct(file)
  await expect(bench.store.write('notes', [closedNote('refused')])).rejects.toMatchObject({ type: 'StoreUnavailable' })
  expect(bench.store.state()).toMatchObject({ ok: false })
  expect(await visibleRows(bench.store)).toEqual([])
  clear(file)
  await bench.store.write('notes', [closedNote('taken')])
  expect(bench.store.state()).toEqual({ ok: true })
  await bench.reopen()
  expect(idsOf(await visibleRows(bench.store))).toEqual(['taken'])
})

test('a flush that cannot create the next log segment changes nothing, and succeeds later', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('a')])
  const next = join(bench.tableFolder, '_wal', '0000000002.arrows')
  obstruct(next)
  await expect(bench.store.flush()).rejects.toThrow()
  await bench.store.write('notes', [closedNote('b')])
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'b'])
  clear(next)
  await bench.store.flush()
  expect(bench.store.size).toMatchObject({ fileRows: 2, memtableRows: 0 })
  expect(bench.store.state()).toEqual({ ok: true })
})

test('flushes that fail while writing leave no files, and the next one writes every row once', async () => {
  await using bench = await StoreBench.open()
  const filters = join(bench.tableFolder, '_filters')
  await bench.store.write('notes', [closedNote('a')])
  renameSync(filters, `${filters}-aside`)
  writeFileSync(filters, 'not a folder')
  for (let attempt = 0; attempt < 3; attempt++) await expect(bench.store.flush()).rejects.toThrow()
  expect(bench.store.state()).toMatchObject({ ok: false })
  await bench.store.write('notes', [closedNote('b')])
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'b'])
  const leftBehind = readdirSync(bench.tableFolder).filter((name) => /parquet/.test(name))
  rmSync(filters)
  renameSync(`${filters}-aside`, filters)
  await bench.store.flush()
  await bench.store.flush()
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'b'])
  expect(bench.store.state()).toEqual({ ok: true })
  await bench.close()
  expect(leftBehind).toEqual([])
  expect(await findLastingFaults(bench.tableFolder, ['project', 'id'])).toEqual([])
})

test('a failed commit leaves the rows readable and in the log', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('a')])
  const commit = join(bench.tableFolder, '_delta_log', '00000000000000000001.json')
  obstruct(commit)
  await expect(bench.store.flush()).rejects.toThrow()
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a'])
  expect(readLogFiles(bench.tableFolder).reduce((sum, { table }) => sum + table.numRows, 0)).toBe(1)
  clear(commit)
  await bench.store.flush()
  await bench.reopen()
  expect(idsOf(await visibleRows(bench.store))).toEqual(['a'])
  expect(await findLastingFaults(bench.tableFolder, ['project', 'id'])).toEqual([])
})

/** A store that syncs only what the test asks for. */
const quietStore = (): Promise<StoreBench> => StoreBench.open([notesTable], { isMaintained: false })

/** Makes the `nth` fsync from now on fail. Returns a function that ends this. */
async function failSync(nth: number): Promise<() => void> {
  const handle = await open('/dev/null')
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const real = prototype.sync
  let count = 0
  const spy = spyOn(prototype, 'sync').mockImplementation(function (this: FileHandle) {
    count++
    return count === nth ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })) : real.call(this)
  })
  return () => spy.mockRestore()
}

test('after a failed sync at any step of a flush the next flush succeeds and no files are left', async () => {
  for (let nth = 1; nth <= 8; nth++) {
    await using bench = await quietStore()
    await bench.store.write('notes', [closedNote('a')])
    const end = await failSync(nth)
    await bench.store.flush().then(
      () => {},
      () => {},
    )
    end()
    await bench.store.write('notes', [closedNote('b')])
    // What was sealed before goes first, and alone.
    await bench.store.flush()
    await bench.store.flush()
    expect(bench.store.state()).toEqual({ ok: true })
    expect(bench.store.size).toMatchObject({ fileRows: 2, memtableRows: 0 })
    expect(await findLastingFaults(bench.tableFolder, ['project', 'id'])).toEqual([])
    await bench.reopen()
    expect(idsOf(await visibleRows(bench.store))).toEqual(['a', 'b'])
  }
})

test('flushes whose commit fails leave no data files', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('a')])
  const commit = join(bench.tableFolder, '_delta_log', '00000000000000000001.json')
  obstruct(commit)
  for (let attempt = 0; attempt < 3; attempt++) await expect(bench.store.flush()).rejects.toThrow()
  expect(readdirSync(bench.tableFolder).filter((name) => /parquet/.test(name))).toEqual([])
  expect(readdirSync(join(bench.tableFolder, '_filters'))).toEqual([])
  clear(commit)
  await bench.store.flush()
  expect(await findLastingFaults(bench.tableFolder, ['project', 'id'])).toEqual([])
})

test('a store recovers from a failed write by itself, without another write', async () => {
  await using bench = await StoreBench.open()
  const file = join(bench.tableFolder, '_wal', '0000000001.arrows')
  obstruct(file)
  await expect(bench.store.write('notes', [closedNote('refused')])).rejects.toMatchObject({ type: 'StoreUnavailable' })
  clear(file)
  await until(() => bench.store.state().ok)
  expect(await visibleRows(bench.store)).toEqual([])
})

test('a failed flush is retried by itself, however recent the last write is', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [closedNote('a')])
  const next = join(bench.tableFolder, '_wal', '0000000002.arrows')
  obstruct(next)
  await expect(bench.store.flush()).rejects.toThrow()
  clear(next)
  bench.nowMs += 60_000
  await until(() => bench.store.state().ok)
  expect(bench.store.size).toMatchObject({ fileRows: 1, memtableRows: 0 })
})

test('a discarded file keeps its marker until its removal is durable', async () => {
  await using bench = await StoreBench.open()
  const layout = new TableLayout(bench.folder, 'notes')
  const fileName = 'part-01a20731-e05f-7686-b1b6-8c197d652b8d.parquet'
  writeFileSync(layout.parquet(fileName), 'rows')
  await markUncommitted(layout, fileName)
  const end = await failSync(1)
  await expect(discardFile(layout, fileName)).rejects.toThrow('EIO')
  end()
  expect(readdirSync(layout.unfinished)).toEqual([fileName])
  await discardFile(layout, fileName)
  expect(readdirSync(layout.unfinished)).toEqual([])
})

/** Files and folders that are synced, by name, from now on. */
async function watchSyncs(): Promise<{ synced: string[]; end: () => void }> {
  const handle = await open('/dev/null')
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const synced: string[] = []
  const real = prototype.sync
  const spy = spyOn(prototype, 'sync').mockImplementation(function (this: FileHandle) {
    synced.push(basename(readlinkSync(`/proc/self/fd/${this.fd}`)))
    return real.call(this)
  })
  return { synced, end: () => spy.mockRestore() }
}

// The last process may have died between writing and syncing.
test.if(process.platform === 'linux')('what a start finds in the logs is durable before it is used', async () => {
  await using bench = await quietStore()
  await bench.store.write('notes', [closedNote('a')])
  await bench.store.flush()
  await bench.store.write('notes', [closedNote('b')])
  const { synced, end } = await watchSyncs()
  await using crashed = await StoreBench.afterCrashOf(bench)
  end()
  expect(synced).toContain('_delta_log')
  expect(synced).toContain('0000000002.arrows')
  expect(idsOf(await visibleRows(crashed.store))).toEqual(['a', 'b'])
})

test('a commit whose sync failed counts once the folder is synced', async () => {
  await using bench = await quietStore()
  await bench.store.write('notes', [closedNote('a')])
  const { synced, end } = await watchSyncs()
  await bench.store.flush()
  end()
  const last = synced.lastIndexOf('_delta_log') + 1
  expect(last).toBeGreaterThan(0)
  await using other = await quietStore()
  await other.store.write('notes', [closedNote('a')])
  const heal = await failSync(last)
  await expect(other.store.flush()).rejects.toThrow('EIO')
  expect(readLogFiles(other.tableFolder).reduce((sum, { table }) => sum + table.numRows, 0)).toBe(1)
  heal()
  const again = await failSync(1)
  await expect(other.store.flush()).rejects.toThrow('EIO')
  again()
  expect(readLogFiles(other.tableFolder).reduce((sum, { table }) => sum + table.numRows, 0)).toBe(1)
  await other.store.flush()
  expect(other.store.size).toMatchObject({ fileRows: 1, memtableRows: 0 })
})
