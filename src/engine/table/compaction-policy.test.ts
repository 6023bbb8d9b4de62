import { expect, test } from 'bun:test'
import { madeFile } from '../../../test/store/made-file.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { Table } from '../../lib/table.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { selectAnySmall, selectForCompaction } from './compaction-policy.ts'

const table = { order: ['project', 'at'] } as unknown as Table

const fileOf = (number: number, rows: number, bytes = rows * 100): DataFile =>
  madeFile({ fileName: `part-${number}`, rows, bytes, minValues: { at: String(number).padStart(8, '0') } })

/** Adds files of `rows` rows one by one and compacts after each. */
function run(flushes: number, rowsOf: (flush: number) => number) {
  let files: DataFile[] = []
  const seen = { filesMax: 0, rowsWritten: 0, rowsWrittenAgain: 0, largest: 0 }
  for (let flush = 0; flush < flushes; flush++) {
    files = [...files, fileOf(flush, rowsOf(flush))]
    seen.rowsWritten += rowsOf(flush)
    for (
      let chosen = selectForCompaction(table, files);
      chosen !== undefined;
      chosen = selectForCompaction(table, files)
    ) {
      const rows = chosen.reduce((sum, file) => sum + file.rows, 0)
      seen.rowsWrittenAgain += rows
      seen.largest = Math.max(seen.largest, rows)
      files = [...files.filter((file) => !chosen.includes(file)), fileOf(flush, rows)]
    }
    const isFull = ({ rows }: DataFile) => rows >= storageLimits.memtableRowsMax / 2
    seen.filesMax = Math.max(seen.filesMax, files.filter((file) => !isFull(file)).length)
  }
  return { ...seen, files }
}

for (const [what, flushes, rowsOf] of [
  ['one row each', 10_000, () => 1],
  ['a hundred rows each', 10_000, () => 100],
  ['every size', 1_000, (flush: number) => 1 + ((flush * 7919) % 40_000)],
] as const) {
  test(`files of ${what} stay few, and each row is rewritten only a few times`, () => {
    const { files, filesMax, rowsWritten, rowsWrittenAgain, largest } = run(flushes, rowsOf)
    expect(files.reduce((sum, { rows }) => sum + rows, 0)).toBe(rowsWritten)
    expect(filesMax).toBeLessThan(22)
    expect(rowsWrittenAgain / rowsWritten).toBeLessThan(9)
    expect(largest).toBeLessThan(storageLimits.memtableRowsMax * 1.5)
  })
}

test('full files are left alone, by rows or by bytes', () => {
  const full = [
    ...Array.from({ length: 20 }, (_, i) => fileOf(i, storageLimits.memtableRowsMax)),
    ...Array.from({ length: 20 }, (_, i) => fileOf(i, 10, storageLimits.mergedBytesMax)),
  ]
  expect(selectForCompaction(table, full)).toBeUndefined()
  expect(selectAnySmall(table, [...full, fileOf(50, 5)])).toBeUndefined()
  expect(selectAnySmall(table, [...full, fileOf(51, 5), fileOf(50, 5)])?.map(({ fileName }) => fileName)).toEqual([
    'part-50',
    'part-51',
  ])
})

test('files that are left more than half full are merged in pairs', () => {
  const left = Array.from({ length: 20 }, (_, number) => fileOf(number, 85_000 + number))
  let files: DataFile[] = left
  for (
    let chosen = selectForCompaction(table, files);
    chosen !== undefined;
    chosen = selectForCompaction(table, files)
  ) {
    expect(chosen).toHaveLength(2)
    const rows = chosen.reduce((sum, file) => sum + file.rows, 0)
    files = [...files.filter((file) => !chosen.includes(file)), fileOf(files.indexOf(chosen[0]!), rows)]
  }
  expect(files).toHaveLength(11)
  expect(files.reduce((sum, { rows }) => sum + rows, 0)).toBe(left.reduce((sum, { rows }) => sum + rows, 0))
  expect(selectAnySmall(table, files)).toHaveLength(2)
})

test('a merged file does not exceed the target size', () => {
  const files = Array.from({ length: 8 }, (_, i) => fileOf(i, 100, storageLimits.mergedBytesMax / 2.5))
  expect(selectForCompaction(table, files)).toHaveLength(2)
})
