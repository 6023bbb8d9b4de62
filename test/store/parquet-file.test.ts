import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ParquetFile, rowsBetween } from '../../src/engine/parquet/parquet-file.ts'
import { ParquetFiles } from '../../src/engine/parquet/parquet-files.ts'
import type { Cell } from '../../src/lib/table.ts'
import { Database } from '../../src/runtime/duck/database.ts'
import { Writer } from '../../src/runtime/duck/writer.ts'
import { Random } from './random.ts'

/** Columns in which DuckDB uses each encoding, with and without nulls. */
const columns: Readonly<Record<string, string>> = {
  plain_text: `repeat(md5(i::VARCHAR), 1 + i % 7)`,
  some_text: `CASE WHEN hash(i) % 3 > 0 THEN md5(i::VARCHAR) END`,
  few_texts: `'value ' || (hash(i) % 50)::VARCHAR`,
  few_or_none: `CASE WHEN i % 1000 < 400 THEN 'naïve 😀 ' || (i % 5)::VARCHAR END`,
  one_text: `'same'`,
  no_text: `NULL::VARCHAR`,
  late_text: `CASE WHEN i > 5000 THEN '' END`,
  wide_text: `repeat(md5((i * 7)::VARCHAR) || 'ü', 20 + i % 30)`,
  number: `i::DOUBLE * 1.5`,
  some_number: `CASE WHEN i % 2 = 0 THEN -i::DOUBLE / 3 END`,
  few_numbers: `(i % 300)::DOUBLE`,
  integer: `i * 1000003`,
  few_integers: `CASE WHEN i % 7 > 1 THEN -(i % 2000) END`,
  when: `make_timestamptz(1700000000000000 + i * 1000003)`,
}

async function written(rows: number, groupRows: number, use: (path: string, expected: Cell[][]) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'tracelake-parquet-'))
  const database = await Database.open({ memoryBytesMax: 512e6, temporaryFolder: folder })
  const writer = new Writer(await database.connect())
  try {
    const path = join(folder, 'made-up.parquet')
    const list = Object.entries(columns).map(([name, sql]) => `(${sql}) AS "${name}"`)
    const select = `SELECT ${list.join(', ')} FROM (SELECT i::BIGINT AS i FROM range(${rows}) r(i)) ORDER BY i`
    await writer.execute(
      `COPY (${select}) TO '${path}'
       (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE ${groupRows})`,
    )
    await use(path, await writer.rows(`FROM read_parquet('${path}')`))
  } finally {
    writer.close()
    database.close()
    rmSync(folder, { recursive: true })
  }
}

const never = new AbortController().signal

test('cells of any row are the same as DuckDB reads them', async () => {
  await written(9000, 4096, async (path, expected) => {
    const random = new Random(7)
    const names = Object.keys(columns)
    const readRow = async (file: ParquetFile, row: number) => {
      const group = file.footer.groupStarts.findLastIndex((start) => start <= row)
      const inGroup = row - file.footer.groupStarts[group]!
      const values = await file.values(names, group, [inGroup])
      return names.map((name) => values.get(name)!.cell(0))
    }
    await new ParquetFiles().read(path, never, async (file) => {
      expect(file.footer.groupStarts.at(-1)).toBe(9000)
      for (const row of [0, 4095, 4096, 8191, 8192, 8999, ...Array.from({ length: 60 }, () => random.below(9000))])
        expect(await readRow(file, row)).toEqual(expected[row]!)
      const readRows = async (rows: readonly number[]) => {
        const values = await file.values(names, 0, rows)
        for (const [index, row] of rows.entries())
          expect(names.map((name) => values.get(name)!.cell(index))).toEqual(expected[row]!)
      }
      await readRows(rowsBetween(0, 4095))
      await readRows(rowsBetween(2048, 4095))
      for (const share of [2, 10, 100, 1000]) {
        await readRows(rowsBetween(0, 4095).filter(() => random.below(share) === 0))
        await readRows(rowsBetween(0, 1999).filter(() => random.below(share) === 0))
      }
    })
  })
})

test('texts are compared as bytes', async () => {
  await written(3000, 4096, async (path, expected) => {
    await new ParquetFiles().read(path, never, async (file) => {
      const values = (await file.values(['few_or_none'], 0, rowsBetween(0, 2999))).get('few_or_none')!
      const at = Object.keys(columns).indexOf('few_or_none')
      const wanted = new TextEncoder().encode('naïve 😀 3')
      for (let row = 0; row < 3000; row++) {
        expect(values.hasText(row, wanted)).toBe(expected[row]![at] === 'naïve 😀 3')
        expect(values.isNull(row)).toBe(expected[row]![at] === null)
      }
    })
  })
})

test('a file that is gone, cut off or lacks a column cannot be read', async () => {
  await written(3000, 4096, async (path) => {
    const read = (file: string, names = ['plain_text']) =>
      new ParquetFiles().read(file, never, (open) => open.values(names, 0, [2999]))
    await expect(read(`${path}x`)).rejects.toThrow('the file is missing')
    await expect(read(path, ['nothing'])).rejects.toThrow('the column nothing is not known')
    truncateSync(path, 100_000)
    await expect(read(path)).rejects.toThrow()
  })
})
