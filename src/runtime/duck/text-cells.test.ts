import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { columnsOf, rowsOf } from './text-cells.ts'
import { toCell } from './text-rows.ts'

/** The texts of a row `i` of `rows` rows, by where DuckDB puts them. */
const texts: Readonly<Record<string, string>> = {
  'in the entries': "'short' || i % 100",
  empty: "''",
  'in memory': "i || repeat('long text ', 1 + i % 70)",
  'in several scripts': "repeat('é漢😀', 1 + i % 90)",
  'of both kinds, and none': "CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN 'x' ELSE repeat('x', 9 + i % 9) END",
  'all null': 'NULL::VARCHAR',
  'one for all': "'the same text for all rows'",
  'few for all': "'one of few texts of ' || i % 7",
  'as JSON': "to_json({ i: i, text: repeat('y', i % 30) })",
  'larger than what is copied at once': "repeat('z', 300000) || i",
  'parts of others': "substr('a text that begins at one address: ' || i % 3, 1, 13 + i % 20)",
}

for (const [what, text] of Object.entries(texts)) {
  test(`reads texts ${what}, as DuckDB's package does`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tracelake-cells-'))
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    try {
      const count = text.includes('300000') ? 20 : 5000
      await connection.run(
        `CREATE TABLE kept AS SELECT i, ${text} AS t, make_timestamptz(i) AS moment FROM range(${count}) r(i)`,
      )
      const file = join(folder, 'file.parquet')
      await connection.run(`COPY kept TO '${file}' (FORMAT parquet)`)
      for (const source of ['kept', `read_parquet('${file}')`])
        for (const order of ['i', 'hash(i)', 't, i']) {
          const columns = "t, i, moment, t || 'and more of it', [t || '', 'x']"
          const statement = `SELECT ${columns} FROM ${source} ORDER BY ${order}`
          const wanted = (await connection.runAndReadAll(statement)).getColumns()
          const found: unknown[][] = [[], [], [], [], []]
          const result = await connection.stream(statement)
          for (;;) {
            const chunk = await result.fetchChunk()
            if (chunk === null || chunk.rowCount === 0) break
            for (const [index, cells] of columnsOf(chunk).entries()) found[index]!.push(...cells)
          }
          expect(found).toEqual(wanted.map((column) => column.map((value) => toCell(value))))
          const rows = await rowsOf(await connection.run(statement))
          expect<unknown>(rows).toEqual(found[0]!.map((_, row) => found.map((cells) => cells[row])))
        }
    } finally {
      connection.closeSync()
      instance.closeSync()
      rmSync(folder, { recursive: true })
    }
  })
}
