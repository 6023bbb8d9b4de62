import { expect, test } from 'bun:test'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { changeLimits } from './change-limits.ts'
import { readDeltaTable, readLogFiles } from './folder-state.ts'
import { closedNote, noteRow, removal } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

const paced = { retainIncomplete: true, mayWait: true }

const pathsOf = async (bench: StoreBench): Promise<string[]> =>
  (await readDeltaTable(bench.tableFolder)).files.map(({ path }) => path).sort()

const rowsOf = async (bench: StoreBench): Promise<number> =>
  (await readDeltaTable(bench.tableFolder)).files.reduce((sum, { stats }) => sum + stats.numRecords, 0)

const loggedRows = (bench: StoreBench): number =>
  readLogFiles(bench.tableFolder).reduce((sum, { table }) => sum + table.numRows, 0)

/** Two files of ten notes each, which count as large, in a store whose timer does nothing. */
async function twoFiles(): Promise<StoreBench & Disposable> {
  const restore = changeLimits({ rewrittenFreelyBytesMax: 0, rewritesAtOnceBytesMax: 1 })
  const bench = await StoreBench.open(undefined, { isMaintained: false })
  for (const file of ['a', 'b']) {
    await bench.store.write(
      'notes',
      Array.from({ length: 10 }, (_, at) => closedNote(`${file}-${at}`)),
    )
    await bench.store.flush()
  }
  return Object.assign(bench, { [Symbol.dispose]: restore })
}

const others = (...gone: string[]): string[] =>
  ['a', 'b']
    .flatMap((file) => Array.from({ length: 10 }, (_, at) => `${file}-${at}`))
    .filter((id) => !gone.includes(id))

test('deletions in large files wait in memory and in the log, over flushes, stops and crashes', async () => {
  using limits = await twoFiles()
  await using bench: StoreBench = limits
  const before = await pathsOf(bench)
  await bench.store.write('notes', [removal('a-1'), removal('b-2')])
  await bench.store.flush(paced)
  expect(await pathsOf(bench)).toEqual(before)
  expect(idsOf(await visibleRows(bench.store))).toEqual(others('a-1', 'b-2'))
  await bench.store.write('notes', [closedNote('c')])
  await bench.store.flush(paced)
  expect((await pathsOf(bench)).filter((path) => before.includes(path))).toEqual(before)
  expect(await rowsOf(bench)).toBe(21)
  expect(idsOf(await visibleRows(bench.store))).toEqual([...others('a-1', 'b-2'), 'c'])
  await using crashed = await StoreBench.afterCrashOf(bench)
  expect(idsOf(await visibleRows(crashed.store))).toEqual([...others('a-1', 'b-2'), 'c'])
  await bench.reopen()
  expect(await rowsOf(bench)).toBe(21)
  expect(loggedRows(bench)).toBeGreaterThanOrEqual(2)
  await bench.store.write('notes', [closedNote('a-1'), noteRow({ id: 'b-2', votes: 1 })])
  expect(idsOf(await visibleRows(bench.store))).toEqual([...others('a-1', 'b-2'), 'c'])
  // An explicit flush rewrites every such file.
  await bench.store.flushAll()
  expect(await rowsOf(bench)).toBe(19)
  expect(idsOf(await visibleRows(bench.store))).toEqual([...others('a-1', 'b-2'), 'c'])
})

test('a file that has lost much is rewritten with all its deletions, and with new rows for others', async () => {
  using limits = await twoFiles()
  await using bench: StoreBench = limits
  const gone = ['a-1', 'a-2', 'a-3', 'a-4', 'b-1']
  await bench.store.write(
    'notes',
    gone.map((id) => removal(id)),
  )
  await bench.store.flush(paced)
  expect(await rowsOf(bench)).toBe(16)
  const changed = ['b-5', 'b-6', 'b-7']
  await bench.store.write(
    'notes',
    changed.map((id) => noteRow({ id, votes: 7 })),
  )
  await bench.store.flush(paced)
  expect(await rowsOf(bench)).toBe(15)
  const rows = await visibleRows(bench.store)
  expect(idsOf(rows)).toEqual(others(...gone))
  for (const id of changed) expect(rows.find((row) => row['id'] === id)).toMatchObject({ votes: 7 })
})

test('after an hour deletions leave their files, one step at a time', async () => {
  using limits = await twoFiles()
  await using bench: StoreBench = limits
  await bench.store.write('notes', [removal('a-1'), removal('b-2')])
  await bench.store.flush(paced)
  bench.nowMs += storageLimits.retainedAgeMs
  const rows: number[] = []
  for (let step = 0; step < 3; step++) {
    await bench.store.write('notes', [closedNote(`c-${step}`, { touched: bench.nowMs * 1000 })])
    await bench.store.flush(paced)
    rows.push(await rowsOf(bench))
  }
  expect(rows).toEqual([20, 20, 21])
  expect(idsOf(await visibleRows(bench.store))).toEqual([...others('a-1', 'b-2'), 'c-0', 'c-1', 'c-2'])
  bench.nowMs += storageLimits.retainedAgeMs
  await bench.store.flushAll()
  expect(loggedRows(bench)).toBe(0)
})

test('deletions that wait in an idle table leave their files by themselves', async () => {
  using limits = await twoFiles()
  await using bench: StoreBench = limits
  await bench.store.write('notes', [removal('a-1'), removal('b-2')])
  await bench.store.flush(paced)
  bench.options.isMaintained = true
  const restore = changeLimits({ staleRowsCheckMs: 0 })
  try {
    await bench.reopen()
    bench.nowMs += storageLimits.retainedAgeMs
    while ((await rowsOf(bench)) > 18) await Bun.sleep(100)
  } finally {
    restore()
  }
  expect(idsOf(await visibleRows(bench.store))).toEqual(others('a-1', 'b-2'))
}, 120_000)

test('rows of a compacted file stay hidden while their deletions wait', async () => {
  using limits = await twoFiles()
  await using bench: StoreBench = limits
  await bench.store.write('notes', [removal('a-1'), removal('b-2')])
  await bench.store.flush(paced)
  await bench.store.compact()
  expect(await pathsOf(bench)).toHaveLength(1)
  expect(idsOf(await visibleRows(bench.store))).toEqual(others('a-1', 'b-2'))
  await bench.store.flush()
  expect(await rowsOf(bench)).toBe(18)
})
