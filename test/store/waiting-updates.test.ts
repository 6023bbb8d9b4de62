import { expect, test } from 'bun:test'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { changeLimits } from './change-limits.ts'
import { parquetFiles, queryDuckDb, readDeltaTable, readLogFiles } from './folder-state.ts'
import { findLastingFaults } from './lasting-faults.ts'
import { closedNote, noteRow, openNote, removal, startMs } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { visibleRows } from './visible-rows.ts'

const paced = { retainIncomplete: true, mayWait: true }
const files = ['a', 'b']
const idsOfFile = (file: string): string[] => Array.from({ length: 10 }, (_, at) => `${file}-${at}`)
const allIds = files.flatMap(idsOfFile)

/** What another engine reads: the votes of each note, which it must find once. */
async function votesInFiles({ tableFolder }: StoreBench): Promise<Record<string, unknown>> {
  const { files } = await readDeltaTable(tableFolder)
  const rows = await queryDuckDb(`SELECT id, votes::INTEGER AS votes FROM ${parquetFiles(tableFolder, files)}`)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  return Object.fromEntries(rows.map(({ id, votes }) => [String(id), votes]))
}

const votesOf = async ({ store }: StoreBench, project?: string): Promise<Record<string, unknown>> =>
  Object.fromEntries((await visibleRows(store, undefined, project)).map(({ id, votes }) => [String(id), votes]))

/** The votes of all notes: 0 unless stated. */
const votes = (changed: Record<string, number> = {}, ids: readonly string[] = allIds): Record<string, number> =>
  Object.fromEntries(ids.map((id) => [id, changed[id] ?? 0]))

const loggedRows = (bench: StoreBench): number =>
  readLogFiles(bench.tableFolder).reduce((sum, { table }) => sum + table.numRows, 0)

/** Two files of ten notes each, which count as large, in a store whose timer does nothing. */
async function twoFiles(): Promise<StoreBench & Disposable> {
  const restore = changeLimits({ rewrittenFreelyBytesMax: 0, rewritesAtOnceBytesMax: 1 })
  const bench = await StoreBench.open(undefined, { isMaintained: false })
  for (const file of files) {
    await bench.store.write(
      'notes',
      idsOfFile(file).map((id) => closedNote(id, { votes: 0 })),
    )
    await bench.store.flush()
  }
  return Object.assign(bench, { [Symbol.dispose]: restore })
}

test('updates of rows in large files wait in memory and in the log, over flushes, stops and crashes', async () => {
  using limits = await twoFiles()
  await using bench: StoreBench = limits
  const { files: before } = await readDeltaTable(bench.tableFolder)
  await bench.store.write('notes', [noteRow({ id: 'a-1', votes: 1 }), noteRow({ id: 'b-2', votes: 2 })])
  await bench.store.flush(paced)
  for (const [id, number] of [
    ['c-1', 3],
    ['c-2', 4],
  ] as const) {
    await bench.store.write('notes', [closedNote(id, { votes: 0 }), noteRow({ id: 'a-1', votes: number })])
    await bench.store.flush(paced)
  }
  const expected = { ...votes({ 'a-1': 4, 'b-2': 2 }), 'c-1': 0, 'c-2': 0 }
  const inFiles = { ...votes(), 'c-1': 0, 'c-2': 0 }
  expect(await votesOf(bench)).toEqual(expected)
  expect(await votesInFiles(bench)).toEqual(inFiles)
  expect(loggedRows(bench)).toBe(2)
  const { files: after } = await readDeltaTable(bench.tableFolder)
  expect(after.filter(({ path }) => before.some((file) => file.path === path))).toHaveLength(2)
  await using crashed = await StoreBench.afterCrashOf(bench)
  expect(await votesOf(crashed)).toEqual(expected)
  await bench.reopen()
  expect(await votesOf(bench)).toEqual(expected)
  expect(await votesInFiles(bench)).toEqual(inFiles)
  await bench.store.flushAll()
  expect(await votesOf(bench)).toEqual(expected)
  expect(await votesInFiles(bench)).toEqual(expected)
  expect(loggedRows(bench)).toBe(0)
  expect(await findLastingFaults(bench.tableFolder, ['project', 'id'])).toEqual([])
})

test('rows that wait are counted without DuckDB once they have been drained', async () => {
  using limits = await twoFiles()
  await using bench: StoreBench = limits
  const count = (projectId = 'p') => bench.store.countRows('notes', { projectId })
  expect(await count()).toBe(20)
  await bench.store.write('notes', [noteRow({ id: 'a-1', votes: 1 }), removal('b-2')])
  expect(await count()).toBeUndefined()
  await bench.store.flush(paced)
  expect(await count()).toBe(19)
  await bench.store.write('notes', [closedNote('c', { votes: 0 }), closedNote('d', { project: 'p2', votes: 0 })])
  await votesOf(bench)
  expect(await count()).toBe(20)
  expect(await count('p2')).toBe(1)
  expect(await count('p3')).toBe(0)
})

test('rows that wait can be deleted, and then leave with their files', async () => {
  using limits = await twoFiles()
  await using bench: StoreBench = limits
  await bench.store.write('notes', [noteRow({ id: 'a-1', votes: 1 }), noteRow({ id: 'b-2', votes: 2 })])
  await bench.store.flush(paced)
  await bench.store.write('notes', [removal('a-1'), noteRow({ id: 'a-1', votes: 5 }), closedNote('c', { votes: 0 })])
  await bench.store.flush(paced)
  const { 'a-1': _, ...expected }: Record<string, number> = { ...votes({ 'b-2': 2 }), c: 0 }
  expect(await votesOf(bench)).toEqual(expected)
  await using crashed = await StoreBench.afterCrashOf(bench)
  expect(await votesOf(crashed)).toEqual(expected)
  await bench.store.flushAll()
  expect(await votesInFiles(bench)).toEqual(expected)
})

test('after an hour updates reach the files, one step at a time, however often a row changed since', async () => {
  using limits = await twoFiles()
  await using bench: StoreBench = limits
  await bench.store.write('notes', [noteRow({ id: 'a-1', votes: 1 })])
  await bench.store.flush(paced)
  bench.nowMs += storageLimits.retainedAgeMs / 2
  const touched = () => bench.nowMs * 1000
  await bench.store.write('notes', [
    noteRow({ id: 'b-2', votes: 2, touched: startMs * 1000 + 1 }),
    noteRow({ id: 'a-1', votes: 3, touched: touched() }),
  ])
  await bench.store.flush(paced)
  expect(await votesInFiles(bench)).toEqual(votes())
  bench.nowMs += storageLimits.retainedAgeMs / 2 + 1
  const seen: unknown[] = []
  for (let step = 0; step < 2; step++) {
    await bench.store.write('notes', [closedNote(`c-${step}`, { touched: touched() })])
    await bench.store.flush(paced)
    const inFiles = await votesInFiles(bench)
    seen.push([inFiles['a-1'], inFiles['b-2']])
  }
  expect(seen).toEqual([
    [3, 0],
    [3, 2],
  ])
  expect(loggedRows(bench)).toBe(0)
})

test('updates that wait in an idle table reach its files by themselves', async () => {
  using limits = await twoFiles()
  await using bench: StoreBench = limits
  await bench.store.write('notes', [noteRow({ id: 'a-1', votes: 1 }), noteRow({ id: 'b-2', votes: 2 })])
  await bench.store.flush(paced)
  bench.options.isMaintained = true
  const restore = changeLimits({ staleRowsCheckMs: 0 })
  const expected = votes({ 'a-1': 1, 'b-2': 2 })
  try {
    await bench.reopen()
    bench.nowMs += storageLimits.retainedAgeMs
    while (!Bun.deepEquals(await votesInFiles(bench), expected)) await Bun.sleep(100)
  } finally {
    restore()
  }
  expect(await votesOf(bench)).toEqual(expected)
}, 120_000)

test('rows stay hidden in a compacted file while their updates wait', async () => {
  using limits = await twoFiles()
  await using bench: StoreBench = limits
  await bench.store.write('notes', [noteRow({ id: 'a-1', votes: 1 }), removal('b-2')])
  await bench.store.flush(paced)
  await bench.store.compact()
  const { 'b-2': _, ...expected } = votes({ 'a-1': 1 })
  expect(await votesOf(bench)).toEqual(expected)
  expect(await votesInFiles(bench)).toEqual(votes())
  await bench.store.flush()
  expect(await votesInFiles(bench)).toEqual(expected)
})

test('an end that comes after its start was flushed waits, with all that the start had', async () => {
  using limits = await twoFiles()
  await using bench: StoreBench = limits
  await bench.store.write('notes', [openNote('open', { body: '{"a":1}', tags: ['x'], votes: 0 })])
  await bench.store.write(
    'notes',
    idsOfFile('c').map((id) => closedNote(id, { votes: 0 })),
  )
  await bench.store.flushAll()
  await bench.store.write('notes', [noteRow({ id: 'open', closed: 5 }), closedNote('d')])
  await bench.store.flush(paced)
  await using crashed = await StoreBench.afterCrashOf(bench)
  for (const { store } of [bench, crashed]) {
    const found = (await visibleRows(store)).find(({ id }) => id === 'open')
    expect(found).toMatchObject({ body: '{"a":1}', tags: ['x'], closed: 5, title_length: 13 })
  }
  expect((await votesInFiles(bench))['open']).toBe(0)
})

test('updates beyond the bounds are written with their files', async () => {
  using limits = await twoFiles()
  await using bench: StoreBench = limits
  const restore = changeLimits({ waitingBytesMax: 1000 })
  try {
    await bench.store.write('notes', [
      noteRow({ id: 'a-1', votes: 1, body: JSON.stringify('x'.repeat(1000)) }),
      noteRow({ id: 'b-2', votes: 2 }),
    ])
    await bench.store.flush(paced)
    expect(await votesInFiles(bench)).toEqual(votes({ 'a-1': 1 }))
    expect(await votesOf(bench)).toEqual(votes({ 'a-1': 1, 'b-2': 2 }))
  } finally {
    restore()
  }
})

test('an update of a project that is erased does not wait in the log', async () => {
  using limits = await twoFiles()
  await using bench: StoreBench = limits
  const gone = idsOfFile('gone')
  await bench.store.write(
    'notes',
    gone.map((id) => closedNote(id, { project: 'q', votes: 0 })),
  )
  await bench.store.flush()
  await bench.store.write('notes', [
    noteRow({ id: 'gone-1', project: 'q', author: 'secret' }),
    noteRow({ id: 'a-1', votes: 1 }),
  ])
  await bench.store.flush(paced)
  await bench.store.erasure.hide('q')
  await bench.store.erasure.eraseProject('notes', 'q')
  bench.store.erasure.reveal('q')
  expect(await votesOf(bench, 'q')).toEqual({})
  expect(await votesOf(bench)).toEqual(votes({ 'a-1': 1 }))
  expect(await votesInFiles(bench)).toEqual(votes())
  const logged = readLogFiles(bench.tableFolder).flatMap(({ table }) => table.toArray().map(({ id }) => String(id)))
  expect(logged).toEqual(['a-1'])
  await bench.reopen()
  expect(await votesOf(bench, 'q')).toEqual({})
})
