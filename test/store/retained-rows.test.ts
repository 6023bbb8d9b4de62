import { expect, test } from 'bun:test'
import { readDeltaTable, readLogFiles } from './folder-state.ts'
import { closedNote, noteRow, openNote, removal, startMs } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

const hourMs = 3_600_000
const fileRows = async (bench: StoreBench): Promise<number> =>
  (await readDeltaTable(bench.tableFolder)).files.reduce((sum, { stats }) => sum + stats.numRecords, 0)
const micros = (ms: number): number => ms * 1000

test('an open row is retained in the memtable over flushes and crashes, and reaches a file once closed', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [openNote('open', { body: '{"a":1}', tags: ['x'] }), closedNote('closed')])
  for (let flush = 0; flush < 3; flush++) {
    await bench.store.write('notes', [closedNote(`more-${flush}`)])
    await bench.store.flush()
  }
  expect(await fileRows(bench)).toBe(4)
  await using crashed = await StoreBench.afterCrashOf(bench)
  expect(await visibleRows(crashed.store)).toEqual(await visibleRows(bench.store))
  await crashed.store.write('notes', [noteRow({ id: 'open', closed: 5 })])
  await crashed.store.flush()
  expect(await fileRows(crashed)).toBe(5)
  expect((await visibleRows(crashed.store)).at(-1)).toMatchObject({
    id: 'open',
    body: '{"a":1}',
    tags: ['x'],
    closed: 5,
  })
})

test('an open row is written to a file when the store closes, and replaced once closed', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [openNote('open')])
  await bench.reopen()
  expect(await fileRows(bench)).toBe(1)
  await bench.store.write('notes', [noteRow({ id: 'open', votes: 2 })])
  await bench.store.flush()
  expect(await visibleRows(bench.store)).toMatchObject([{ id: 'open', title: 'title of open', votes: 2 }])
  await bench.store.write('notes', [noteRow({ id: 'open', closed: 5 })])
  await bench.store.flush()
  expect(await visibleRows(bench.store)).toMatchObject([{ id: 'open', votes: 2, closed: 5 }])
  expect(await fileRows(bench)).toBe(1)
})

for (const between of ['flush', 'restart', 'crash', 'an hour'] as const) {
  test(`an end that arrives before its start stays invisible over: ${between}`, async () => {
    await using first = await StoreBench.open()
    await first.store.write('notes', [noteRow({ id: 'early', closed: 7, votes: 1 }), closedNote('other')])
    expect(idsOf(await visibleRows(first.store))).toEqual(['other'])
    if (between === 'an hour') first.nowMs += 2 * hourMs
    if (between !== 'crash') await first.store.flush()
    if (between === 'restart') await first.reopen()
    await using bench = await StoreBench.afterCrashOf(first)
    expect(idsOf(await visibleRows(bench.store))).toEqual(['other'])
    await bench.store.write('notes', [noteRow({ id: 'early', title: 'here', opened: 1, touched: micros(bench.nowMs) })])
    for (const _ of [0, 1]) {
      expect(await visibleRows(bench.store)).toMatchObject([
        { id: 'early', title: 'here', closed: 7, votes: 1, title_length: 4 },
        { id: 'other' },
      ])
      await bench.store.flush()
    }
    expect(await fileRows(bench)).toBe(2)
  })
}

test('a late duplicate does not bring a removed row back after flush, restart and crash', async () => {
  await using bench = await StoreBench.open()
  const repeat = () => bench.store.write('notes', [closedNote('gone')])
  await repeat()
  await bench.store.flush()
  await bench.store.write('notes', [removal('gone')])
  await repeat()
  expect(await visibleRows(bench.store)).toEqual([])
  await bench.store.flush()
  await repeat()
  expect(await visibleRows(bench.store)).toEqual([])
  await bench.reopen()
  await repeat()
  expect(await visibleRows(bench.store)).toEqual([])
  await using crashed = await StoreBench.afterCrashOf(bench)
  await crashed.store.write('notes', [closedNote('gone'), noteRow({ id: 'gone', votes: 1 })])
  await crashed.store.flush()
  expect(await visibleRows(crashed.store)).toEqual([])
  expect(await fileRows(crashed)).toBe(0)
})

test('deletions and open rows older than an hour are not retained', async () => {
  await using bench = await StoreBench.open()
  await bench.store.write('notes', [openNote('open'), openNote('gone'), noteRow({ id: 'early', closed: 7 })])
  await bench.store.write('notes', [removal('gone')])
  await bench.store.flush()
  bench.nowMs = startMs + 2 * hourMs
  await bench.store.write('notes', [closedNote('new', { touched: micros(bench.nowMs) })])
  await bench.store.flush()
  expect(bench.store.size.memtableRows).toBe(0)
  expect(readLogFiles(bench.tableFolder).reduce((sum, { table }) => sum + table.numRows, 0)).toBe(0)
  expect(idsOf(await visibleRows(bench.store))).toEqual(['new', 'open'])
  expect(await fileRows(bench)).toBe(3)
})

test('texts of every kind round-trip through the log and a file', async () => {
  await using bench = await StoreBench.open()
  const odd = [
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    "'",
    '"',
    '\\',
    '\n\r\t',
    'ä',
    '\u{1f600}',
    '\uffff',
    'é',
    'x'.repeat(100_000),
  ]
  const rows = odd.map((text, index) =>
    closedNote(`id-${index}`, { author: text, title: `t${text}`, tags: [text, text] }),
  )
  const numbers = [0, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, -(2 ** 53) + 1]
  const times = [
    0,
    -1,
    1,
    Date.UTC(1969, 0, 1) * 1000 + 1,
    Date.UTC(2150, 0, 1) * 1000 + 123_457,
    Date.UTC(2200, 5, 5) * 1000 + 999_999,
  ]
  await bench.store.write('notes', [
    ...rows,
    ...numbers.map((votes, i) => closedNote(`n-${i}`, { votes, opened: times[i]!, closed: times[i]! })),
  ])
  const hot = await visibleRows(bench.store)
  const byId = new Map(hot.map((row) => [row['id'], row]))
  for (const [i, text] of odd.entries())
    expect(byId.get(`id-${i}`)).toMatchObject({ author: text, title: `t${text}`, tags: [text, text] })
  for (const [i, votes] of numbers.entries())
    expect(byId.get(`n-${i}`)).toMatchObject({ votes, opened: times[i]!, closed: times[i]! })
  await using replayed = await StoreBench.afterCrashOf(bench)
  expect(await visibleRows(replayed.store)).toEqual(hot)
  await bench.store.flush()
  expect(await visibleRows(bench.store)).toEqual(hot)
})

test('thousands of rows with every pattern of nulls round-trip', async () => {
  await using bench = await StoreBench.open()
  const rows = Array.from({ length: 9000 }, (_, i) => ({
    id: `id-${String(i).padStart(5, '0')}`,
    title: `t${i}`,
    closed: 1,
    ...(i % 2 ? { author: `a${i}` } : {}),
    ...(i % 3 ? { votes: i - 4500 } : {}),
    ...(i % 5 ? { tags: Array.from({ length: i % 4 }, (_, n) => `${i}-${n}`) } : {}),
    ...(i > 5000 ? { body: `{"i":${i}}`, opened: i } : {}),
  }))
  await bench.store.write('notes', rows.map(noteRow))
  const expected = rows.map((row) => ({
    project: 'p',
    touched: micros(startMs),
    ...row,
    title_length: row.title.length,
  }))
  expect(await visibleRows(bench.store)).toEqual(expected)
  await using replayed = await StoreBench.afterCrashOf(bench)
  expect(await visibleRows(replayed.store)).toEqual(expected)
  await bench.store.flush()
  expect(await visibleRows(bench.store)).toEqual(expected)
})
