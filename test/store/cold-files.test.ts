import { expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { memoryStoreOf, SimulatedObjects } from '../lake/simulated-store.ts'
import { coldBytesMax, dayMs, firstIsColdMs, idOf, idsOfDays, rowsOfFiles, storeOfTwoDays } from './cold-store.ts'
import { parquetFiles, queryDuckDb, readDeltaTable } from './folder-state.ts'
import { HeldSnapshot } from './held-snapshot.ts'
import { findLastingFaults } from './lasting-faults.ts'
import { removal } from './notes-table.ts'
import { Random, seedOr } from './random.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'
import { idsOf, rowsIn, visibleRows } from './visible-rows.ts'

setDefaultTimeout(120_000)

const key = ['project', 'id'] as const
const parquetNames = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.parquet'))

/** Lets the first day become cold, and waits until its files are one. */
async function mergeFirstDay(bench: StoreBench): Promise<void> {
  bench.nowMs = firstIsColdMs
  await until(async () => (await rowsOfFiles(bench)).length === 5)
}

test('the files of a day become one, in order, once the day has been over for a day', async () => {
  using limits = await storeOfTwoDays({ coldBytesMax })
  await using bench: StoreBench = limits
  const before = await visibleRows(bench.store)
  const { version } = await readDeltaTable(bench.tableFolder)
  bench.nowMs = firstIsColdMs - 1
  await Bun.sleep(3 * storageLimits.flushCheckMs)
  expect(await rowsOfFiles(bench)).toEqual([4, 4, 4, 4, 4, 4, 4, 4])
  const held = await HeldSnapshot.ofLookup(bench.store)
  await mergeFirstDay(bench)
  const merged = await readDeltaTable(bench.tableFolder)
  expect(merged.version).toBe(version + 1)
  expect(await rowsOfFiles(bench)).toEqual([16, 4, 4, 4, 4])
  const name = `${String(merged.version).padStart(20, '0')}.json`
  const actions = readFileSync(join(bench.tableFolder, '_delta_log', name), 'utf8')
    .trimEnd()
    .split('\n')
  const changes = actions.map((line) => JSON.parse(line)).flatMap(({ add, remove }) => add ?? remove ?? [])
  expect(changes.map(({ dataChange }) => dataChange)).toEqual([false, false, false, false, false])
  // The reader keeps its files.
  bench.nowMs += storageLimits.replacedFilesKeptMs
  expect(await rowsIn(held.snapshot)).toEqual(before)
  await held.release()
  await bench.removeReplaced()
  expect(parquetNames(bench.tableFolder).sort()).toEqual(merged.files.map(({ path }) => path).sort())
  expect(await visibleRows(bench.store)).toEqual(before)
  const cold = merged.files.find(({ stats }) => stats.numRecords === 16)!
  const stored = await queryDuckDb(`SELECT id FROM ${parquetFiles(bench.tableFolder, [cold])}`)
  expect(stored.map(({ id }) => id)).toEqual(idsOfDays(0))
  await bench.reopen()
  expect(await visibleRows(bench.store)).toEqual(before)
  expect(await findLastingFaults(bench.tableFolder, key)).toEqual([])
})

test('a deletion in a cold file waits, then splits it, and leaves one of the parts', async () => {
  using limits = await storeOfTwoDays({ coldBytesMax })
  await using bench: StoreBench = limits
  await mergeFirstDay(bench)
  const gone = idOf(0, 1, 2)
  await bench.store.write('notes', [removal(gone, bench.nowMs * 1000)])
  const left = [...idsOfDays(0), ...idsOfDays(1)].filter((id) => id !== gone)
  const paced = { retainIncomplete: true, mayWait: true }
  await bench.store.flush(paced)
  bench.nowMs += storageLimits.retainedAgeMs - 1
  await bench.store.flush(paced)
  await Bun.sleep(3 * storageLimits.flushCheckMs)
  expect(await rowsOfFiles(bench)).toEqual([16, 4, 4, 4, 4])
  expect(idsOf(await visibleRows(bench.store))).toEqual(left)
  bench.nowMs++
  // Splitting moves rows; the flush after it removes one.
  await until(async () => (await rowsOfFiles(bench)).length > 5)
  expect((await rowsOfFiles(bench)).every((rows) => rows <= 6)).toBe(true)
  bench.nowMs += storageLimits.staleRowsCheckMs
  await until(async () => (await rowsOfFiles(bench)).reduce((sum, rows) => sum + rows, 0) === 31)
  expect(idsOf(await visibleRows(bench.store))).toEqual(left)
  await bench.reopen()
  expect(idsOf(await visibleRows(bench.store))).toEqual(left)
  await bench.removeReplaced()
  expect(await findLastingFaults(bench.tableFolder, key)).toEqual([])
})

test('an explicit flush leaves no deleted row in a cold file', async () => {
  using limits = await storeOfTwoDays({ coldBytesMax })
  await using bench: StoreBench = limits
  await mergeFirstDay(bench)
  await bench.store.write('notes', [removal(idOf(0, 3, 3), bench.nowMs * 1000)])
  await bench.store.flushAll()
  expect((await rowsOfFiles(bench)).reduce((sum, rows) => sum + rows, 0)).toBe(31)
  expect(idsOf(await visibleRows(bench.store))).toHaveLength(31)
})

test('deletions and flushes during a merge lose and bring back nothing', async () => {
  using limits = await storeOfTwoDays({ coldBytesMax })
  await using bench: StoreBench = limits
  bench.nowMs = firstIsColdMs
  const gone: string[] = []
  const all = [...idsOfDays(0), ...idsOfDays(1)]
  for (let round = 0; round < 8; round++) {
    const id = idOf(0, round % 4, Math.floor(round / 4))
    gone.push(id)
    await bench.store.write('notes', [removal(id, bench.nowMs * 1000)])
    await bench.store.flush({ retainIncomplete: true, mayWait: round % 2 === 0 })
    expect(idsOf(await visibleRows(bench.store))).toEqual(all.filter((each) => !gone.includes(each)))
    await Bun.sleep(300)
  }
  await bench.store.flushAll()
  await bench.reopen()
  expect(idsOf(await visibleRows(bench.store))).toEqual(all.filter((each) => !gone.includes(each)))
  await bench.removeReplaced()
  expect(await findLastingFaults(bench.tableFolder, key)).toEqual([])
})

test('a store that closes during a merge gives it up, and leaves nothing of it', async () => {
  using limits = await storeOfTwoDays({ coldBytesMax })
  await using bench: StoreBench = limits
  const expected = await visibleRows(bench.store)
  bench.nowMs = firstIsColdMs
  const sizes: number[] = []
  for (let stops = 0; stops < 5; stops++) {
    await Bun.sleep(stops * 250)
    await bench.close()
    const { files } = await readDeltaTable(bench.tableFolder)
    sizes.push(files.length)
    const names = readdirSync(bench.tableFolder).filter((name) => !name.startsWith('_') || name.endsWith('.tmp'))
    expect(names.sort()).toEqual(files.map(({ path }) => path).sort())
    await bench.reopen()
    expect(await visibleRows(bench.store)).toEqual(expected)
  }
  expect(sizes.every((size) => size === 8 || size === 5)).toBe(true)
  await mergeFirstDay(bench)
  expect(await visibleRows(bench.store)).toEqual(expected)
})

test('nothing is merged without free space for it, or unless the settings ask for it', async () => {
  const free = { bytes: 1e12 }
  const findSpace = async () => ({ bytes: 1e12, freeBytes: free.bytes })
  for (const options of [{ findSpace, coldBytesMax }, {}]) {
    using limits = await storeOfTwoDays(options)
    await using bench: StoreBench = limits
    free.bytes = storageLimits.reservedBytes + 1000
    bench.nowMs = firstIsColdMs + dayMs
    await Bun.sleep(3 * storageLimits.flushCheckMs)
    expect(await rowsOfFiles(bench)).toHaveLength(8)
    free.bytes = 1e12
    if ('findSpace' in options) await until(async () => (await rowsOfFiles(bench)).length === 5)
  }
})

for (const point of ['nothing', 'the index', 'the new file', 'the commit'] as const) {
  test(`a crash during a merge after ${point} loses and duplicates nothing, and the next process goes on`, async () => {
    using limits = await storeOfTwoDays({ coldBytesMax })
    await using bench: StoreBench = limits
    const expected = await visibleRows(bench.store)
    await using crashed = await StoreBench.closedCopyOf(bench)
    await mergeFirstDay(bench)
    const copyNew = (folder: string, ending: string) => {
      for (const name of readdirSync(join(bench.tableFolder, folder)).filter((each) => each.endsWith(ending)))
        if (!existsSync(join(crashed.tableFolder, folder, name)))
          cpSync(join(bench.tableFolder, folder, name), join(crashed.tableFolder, folder, name))
    }
    if (point !== 'nothing') copyNew('_filters', '.index')
    if (point === 'the new file' || point === 'the commit') {
      // The marker exists before the file has its name, until the commit.
      for (const name of parquetNames(bench.tableFolder))
        if (!existsSync(join(crashed.tableFolder, name)))
          writeFileSync(join(crashed.tableFolder, '_unfinished', name), '')
      copyNew('.', '.parquet')
    }
    if (point === 'the commit') copyNew('_delta_log', '.json')
    await using after = await StoreBench.afterCrashOf(crashed)
    expect(await visibleRows(after.store)).toEqual(expected)
    expect(await rowsOfFiles(after)).toHaveLength(point === 'the commit' ? 5 : 8)
    after.options.coldBytesMax = coldBytesMax
    await after.reopen()
    await mergeFirstDay(after)
    expect(await visibleRows(after.store)).toEqual(expected)
    await after.removeReplaced()
    expect(await findLastingFaults(after.tableFolder, key)).toEqual([])
  })
}

test('processes that are killed at any moment of their merges lose and duplicate nothing', async () => {
  using limits = await storeOfTwoDays({ coldBytesMax, isMaintained: false })
  await using bench: StoreBench = limits
  const expected = await visibleRows(bench.store)
  await bench.close()
  const random = new Random(seedOr(309))
  for (let kills = 0; kills < 6; kills++) {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'cold-program.ts'), bench.folder], {
      stdout: 'pipe',
      stderr: 'inherit',
    })
    await child.stdout.getReader().read()
    await Bun.sleep(random.below(600))
    child.kill('SIGKILL')
    await child.exited
    await bench.reopen()
    expect(await visibleRows(bench.store)).toEqual(expected)
    await bench.close()
    expect(await findLastingFaults(bench.tableFolder, key)).toEqual([])
  }
  // What is left of the work is done.
  bench.options.isMaintained = true
  bench.nowMs = firstIsColdMs
  await bench.reopen()
  await until(async () => (await rowsOfFiles(bench)).length <= 5)
  expect(await visibleRows(bench.store)).toEqual(expected)
}, 300_000)

test('a lake has cold files if its node is asked for them, and so has the next node', async () => {
  const store = memoryStoreOf(new SimulatedObjects())
  using limits = await storeOfTwoDays({ lake: { store, node: 'n' } })
  await using first: StoreBench = limits
  first.nowMs = firstIsColdMs
  await Bun.sleep(3 * storageLimits.flushCheckMs)
  expect(await rowsOfFiles(first)).toHaveLength(8)
  const expected = await visibleRows(first.store)
  first.options.coldBytesMax = coldBytesMax
  await first.reopen()
  await mergeFirstDay(first)
  expect(await visibleRows(first.store)).toEqual(expected)
  await using second = await StoreBench.open(undefined, { lake: { store, node: 'n' }, isMaintained: false })
  expect(await rowsOfFiles(second)).toEqual([16, 4, 4, 4, 4])
  expect(await visibleRows(second.store)).toEqual(expected)
})
