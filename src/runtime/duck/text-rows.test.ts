import { expect, test } from 'bun:test'
import type { Sql } from '../../lib/sql.ts'
import { Database } from './database.ts'
import { Reader } from './reader.ts'
import type { TextRows } from './text-rows.ts'

const limits = { timeoutMs: 60_000 }

async function withReader(work: (reader: Reader) => Promise<void>): Promise<void> {
  const database = await Database.open({ memoryBytesMax: 256e6, temporaryFolder: '' })
  const reader = new Reader(await database.connect())
  try {
    await work(reader)
  } finally {
    reader.close()
    database.close()
  }
}

/** Inline, empty and long texts in several scripts, in more rows than one vector. */
const mixed: Sql = {
  text: `SELECT CASE i % 5 WHEN 0 THEN '' WHEN 1 THEN 'short' || i % 100 WHEN 2 THEN repeat('é漢😀', i % 90)
    WHEN 3 THEN repeat('x', 12 + i % 3) ELSE i || repeat('long text ', i % 700) END || chr(10) FROM range(5000) t(i)`,
  values: [],
}
const textOf = (rows: TextRows, bytesMin: number) =>
  [...rows.pieces(bytesMin)].map((piece) => new TextDecoder('utf-8', { fatal: true }).decode(piece))

test('texts are returned byte for byte, whatever their layout and chunking', () =>
  withReader(async (reader) => {
    const wanted = (await reader.rows(mixed, limits)).map(([text]) => text as string)
    for (const bytesMin of [1, 1000, 1e9]) {
      const texts: string[] = []
      for await (const rows of reader.textRows(mixed, limits)) texts.push(...textOf(rows, bytesMin))
      expect(texts.join('')).toBe(wanted.join(''))
    }
  }))

test('chunks hold whole texts, up to the target size', () =>
  withReader(async (reader) => {
    const sql: Sql = { text: `SELECT repeat('a', 30) || chr(10) FROM range(10)`, values: [] }
    for await (const rows of reader.textRows(sql, limits)) {
      expect(textOf(rows, 100).map((text) => text.length)).toEqual([124, 124, 62])
    }
  }))

test('slices of slices behave like array slices', () =>
  withReader(async (reader) => {
    const sql: Sql = { text: `SELECT i || repeat('-', i) FROM range(40) t(i) ORDER BY i`, values: [] }
    for await (const rows of reader.textRows(sql, limits)) {
      const array = Array.from({ length: 40 }, (_, i) => i + '-'.repeat(i))
      for (const [from, to] of [
        [0, 40],
        [5, 20],
        [30, Number.POSITIVE_INFINITY],
        [40, 50],
        [60, 70],
      ] as const) {
        const slice = rows.slice(from, to)
        expect(slice.length).toBe(array.slice(from, to).length)
        expect(textOf(slice, 1e9).join('')).toBe(array.slice(from, to).join(''))
        expect(textOf(slice.slice(2, 4), 1e9).join('')).toBe(array.slice(from, to).slice(2, 4).join(''))
      }
    }
  }))

test('stopping early releases the connection', () =>
  withReader(async (reader) => {
    for await (const rows of reader.textRows(mixed, limits)) {
      expect(rows.length).toBeGreaterThan(0)
      break
    }
    expect(await reader.rows({ text: 'SELECT 1', values: [] }, limits)).toEqual([[1]])
  }))
