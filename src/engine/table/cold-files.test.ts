import { expect, test } from 'bun:test'
import { madeFile } from '../../../test/store/made-file.ts'
import { MiB } from '../../lib/bytes.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { Table } from '../../lib/table.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { selectCold } from './cold-files.ts'
import { isCold, selectForCompaction } from './compaction-policy.ts'

const { memtableRowsMax: full, coldRowsMax, coldAfterMs, coldBytesMin, coldFromFiles } = storageLimits
const table = {
  columns: [
    { name: 'project', type: 'text' },
    { name: 'at', type: 'time' },
  ],
  order: ['project', 'at'],
} as unknown as Table
const bytesMax = 256 * MiB
const inOne = coldRowsMax / full
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Midnight. */
const startMs = 20_000 * dayMs

interface Times {
  readonly fromMs: number
  readonly toMs: number
  readonly writtenMs?: number
}

const timeOf = (file: DataFile, side: 'minValues' | 'maxValues') => Date.parse(String(file.statistics[side]['at']))

function fileOf(rows: number, { fromMs, toMs, writtenMs = toMs }: Times, bytes = rows * 100): DataFile {
  const [at, last] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()]
  return madeFile({ rows, bytes, writtenMs, minValues: { at }, maxValues: { at: last } })
}

/** The file that a merge writes. */
function merged(chosen: readonly DataFile[], nowMs: number): DataFile {
  const fromMs = Math.min(...chosen.map((file) => timeOf(file, 'minValues')))
  const toMs = Math.max(...chosen.map((file) => timeOf(file, 'maxValues')))
  const sum = (of: (file: DataFile) => number) => chosen.reduce((total, file) => total + of(file), 0)
  return fileOf(
    sum(({ rows }) => rows),
    { fromMs, toMs, writtenMs: nowMs },
    sum(({ bytes }) => bytes),
  )
}

/** Full files, a number for each day; so many days that there are enough of them. */
const daysOf = (number: number, days = Math.ceil(coldFromFiles / number)): DataFile[] =>
  Array.from({ length: days * number }, (_, index) => {
    const fromMs = startMs + (index * dayMs) / number
    return fileOf(full, { fromMs, toMs: fromMs + dayMs / number - 1 })
  })

const endOf = (dataFiles: readonly DataFile[]) => Math.max(...dataFiles.map((file) => timeOf(file, 'maxValues')))

test('neighbours of the oldest days that are over are merged, as many as fit, while there are many files', () => {
  const all = daysOf(inOne * 2)
  const nowMs = endOf(all) + 10 * dayMs
  let dataFiles = all.toReversed()
  const merges: (readonly DataFile[])[] = []
  for (;;) {
    const chosen = selectCold(table, dataFiles, { bytesMax, nowMs })
    if (chosen === undefined) break
    merges.push(chosen)
    dataFiles = [...dataFiles.filter((file) => !chosen.includes(file)), merged(chosen, nowMs)]
  }
  expect(dataFiles.length).toBeLessThan(coldFromFiles)
  expect(dataFiles.length).toBeGreaterThanOrEqual(coldFromFiles - inOne)
  expect(merges.every(({ length }) => length === inOne)).toBe(true)
  expect(merges.flat()).toEqual(all.slice(0, merges.length * inOne))
})

test('a table with few files is left alone, and any table if cold files are turned off', () => {
  const dataFiles = daysOf(8)
  const nowMs = endOf(dataFiles) + 10 * dayMs
  expect(selectCold(table, dataFiles.slice(0, coldFromFiles - 1), { bytesMax, nowMs })).toBeUndefined()
  expect(selectCold(table, dataFiles, { bytesMax: 0, nowMs })).toBeUndefined()
  expect(selectCold(table, dataFiles, { bytesMax, nowMs })).toHaveLength(inOne)
})

test('a day waits until it has been over for a while, and without new files for as long', () => {
  const dataFiles = daysOf(8)
  const firstDayOverMs = startMs + dayMs + coldAfterMs
  expect(selectCold(table, dataFiles, { bytesMax, nowMs: firstDayOverMs - 1 })).toBeUndefined()
  expect(selectCold(table, dataFiles, { bytesMax, nowMs: firstDayOverMs })).toEqual(dataFiles.slice(0, inOne))
  const writtenMs = firstDayOverMs - hourMs
  const late = fileOf(5, { fromMs: startMs + 1, toMs: startMs + 2, writtenMs })
  const withLate = [...dataFiles, late]
  const laterMs = writtenMs + coldAfterMs
  expect(selectCold(table, withLate, { bytesMax, nowMs: laterMs - 1 })).toBeUndefined()
  expect(selectCold(table, withLate, { bytesMax, nowMs: laterMs })).toEqual(dataFiles.slice(0, inOne))
  // Days after it need not wait for it.
  const stillLate = { ...late, add: { ...late.add, modificationTime: laterMs + dayMs } }
  const nowMs = firstDayOverMs + dayMs
  expect(selectCold(table, [...dataFiles, stillLate], { bytesMax, nowMs })).toEqual(dataFiles.slice(8, 8 + inOne))
})

test('files are merged up to a size on disk, too', () => {
  const bytes = bytesMax / 3
  const dataFiles = daysOf(8).map((file) => ({ ...file, bytes }))
  const nowMs = endOf(dataFiles) + 10 * dayMs
  expect(selectCold(table, dataFiles, { bytesMax, nowMs })).toEqual(dataFiles.slice(0, 3))
})

test('files without times are left alone', () => {
  const untimed = { columns: table.columns, order: ['project', 'id'] } as unknown as Table
  expect(selectCold(untimed, daysOf(8), { bytesMax, nowMs: startMs + 1000 * dayMs })).toBeUndefined()
})

/** Adds full files for each day and late ones for earlier days, and runs each merge that is due. */
function simulate(days: number, ofDay: (day: number) => readonly Times[]) {
  let dataFiles: DataFile[] = []
  const written = new Map<DataFile, number>()
  const seen = { rows: 0, again: 0, mostOften: 0 }
  for (let day = 0; day < days; day++) {
    const fresh = ofDay(day).map((times) => fileOf(full, times))
    dataFiles = [...dataFiles, ...fresh]
    seen.rows += fresh.length * full
    const nowMs = startMs + (day + 1) * dayMs
    for (;;) {
      const chosen = selectForCompaction(table, dataFiles) ?? selectCold(table, dataFiles, { bytesMax, nowMs })
      if (chosen === undefined) break
      const file = merged(chosen, nowMs)
      const times = 1 + Math.max(...chosen.map((each) => written.get(each) ?? 0))
      written.set(file, times)
      seen.again += file.rows
      seen.mostOften = Math.max(seen.mostOften, times)
      dataFiles = [...dataFiles.filter((each) => !chosen.includes(each)), file]
    }
  }
  return { ...seen, dataFiles }
}

const spread = (day: number, number: number, writtenDay = day): Times[] =>
  Array.from({ length: number }, (_, index) => {
    const fromMs = startMs + day * dayMs + (index * dayMs) / number
    const toMs = fromMs + dayMs / number - 1
    return { fromMs, toMs, writtenMs: toMs + (writtenDay - day) * dayMs }
  })

test('under steady writes each row is rewritten once, and files become few', () => {
  const { rows, again, mostOften, dataFiles } = simulate(100, (day) => spread(day, 24))
  expect(dataFiles.reduce((sum, file) => sum + file.rows, 0)).toBe(rows)
  expect(mostOften).toBe(1)
  expect(again).toBeLessThanOrEqual(rows)
  expect(again).toBeGreaterThan(0)
  expect(dataFiles.length).toBeLessThan((100 * 24) / inOne + coldFromFiles)
})

test('with files that arrive months late, no row is rewritten more often than sizes can double', () => {
  const late = (day: number) => (day < 200 ? [] : spread(day - 200, 2, day))
  const { rows, again, mostOften } = simulate(350, (day) => [...spread(day, 2), ...late(day)])
  expect(mostOften).toBeLessThanOrEqual(Math.log2(coldRowsMax / full) + 1)
  expect(again / rows).toBeLessThan(3)
  expect(mostOften).toBeGreaterThan(1)
})

test.each([2, inOne])(
  'of a day of %i files that changes again and again, no row is rewritten more than twice a day',
  (number) => {
    let dataFiles = daysOf(number, coldFromFiles + 1)
    const ofFirstDay = (file: DataFile) => timeOf(file, 'minValues') < startMs + dayMs
    const beginMs = endOf(dataFiles) + 10 * dayMs
    let [nowMs, rewrites] = [beginMs, 0]
    for (; nowMs < beginMs + 60 * dayMs; nowMs += 6 * hourMs) {
      const cold = dataFiles.find((file) => ofFirstDay(file) && isCold(file))
      if (cold !== undefined) {
        // A change splits it.
        const [fromMs, toMs] = [timeOf(cold, 'minValues'), timeOf(cold, 'maxValues')]
        const parts = Array.from({ length: number }, () => fileOf(full, { fromMs, toMs, writtenMs: nowMs }))
        dataFiles = [...dataFiles.filter((file) => file !== cold), ...parts]
        rewrites++
      }
      for (;;) {
        const chosen = selectForCompaction(table, dataFiles) ?? selectCold(table, dataFiles, { bytesMax, nowMs })
        if (chosen === undefined) break
        dataFiles = [...dataFiles.filter((file) => !chosen.includes(file)), merged(chosen, nowMs)]
        if (chosen.some(ofFirstDay)) rewrites++
      }
    }
    expect(rewrites).toBeGreaterThan(2)
    expect(rewrites).toBeLessThanOrEqual(2 * ((nowMs - beginMs) / coldAfterMs) + 1)
  },
)

test('cold files are recognized by rows or by bytes', () => {
  const times = { fromMs: startMs, toMs: startMs }
  expect(isCold(fileOf(full, times))).toBe(false)
  expect(isCold(fileOf(coldRowsMax, times))).toBe(true)
  expect(isCold(fileOf(1000, times, coldBytesMin + 1))).toBe(true)
})
