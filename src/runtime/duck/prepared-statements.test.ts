import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { DuckDBConnection } from '@duckdb/node-api'
import { readLimits } from '../../lib/limits/reads.ts'
import type { SqlValue } from '../../lib/sql.ts'
import { Database } from './database.ts'
import { Reader } from './reader.ts'

let database: Database
let connection: DuckDBConnection
let reader: Reader
/** Texts that DuckDB has parsed for the reader to keep. */
let parsed: string[]

beforeEach(async () => {
  database = await Database.open({ memoryBytesMax: 256e6, temporaryFolder: '' })
  connection = await database.connect()
  reader = new Reader(connection)
  parsed = []
  const { prepare } = connection
  connection.prepare = (text) => {
    parsed.push(text)
    return prepare.call(connection, text)
  }
})

afterEach(() => {
  reader.close()
  database.close()
})

const ask = (text: string, ...values: SqlValue[]) => reader.rows({ text, values }, { timeoutMs: 60_000 })

test('the same text is parsed once, and answers with the values of each time', async () => {
  await connection.run('CREATE TABLE numbers AS SELECT i FROM range(10) r(i)')
  const text = 'SELECT count(*)::DOUBLE FROM numbers WHERE i >= $1'
  expect([await ask(text, 2n), await ask(text, 7n), await ask(text, 2.5)]).toEqual([[[8]], [[3]], [[7]]])
  expect(parsed).toEqual([text])
})

test('a kept statement sees the table of that name at the time', async () => {
  const text = 'SELECT * FROM things WHERE a >= $1'
  await reader.begin('duckdb_tables')
  await connection.run(`CREATE TEMPORARY TABLE things AS SELECT 1::DOUBLE AS a, 'one' AS b`)
  expect(await ask(text, 0)).toEqual([[1, 'one']])
  await reader.end()
  await connection.run(`CREATE TABLE things AS SELECT 'first' AS b, 2::DOUBLE AS a, 'third' AS c`)
  expect(await ask(text, 0)).toEqual([['first', 2, 'third']])
  await connection.run('DROP TABLE things')
  await expect(ask(text, 0)).rejects.toThrow('things does not exist')
  await connection.run('CREATE TABLE things AS SELECT 3::DOUBLE AS a')
  expect(await ask(text, 0)).toEqual([[3]])
})

test('reads at the same time with one text get the answers of their own values', async () => {
  const text = 'SELECT $1::DOUBLE'
  const asked = Array.from({ length: 20 }, (_, value) => value)
  await ask(text, 0)
  expect(await Promise.all(asked.map((value) => ask(text, value)))).toEqual(asked.map((value) => [[value]]))
})

test('a kept statement keeps no memory of a table that is dropped', async () => {
  await connection.run(`CREATE TABLE large AS SELECT repeat('x', 100) || i AS t FROM range(500000) r(i)`)
  const { memoryBytes } = await database.memory()
  await ask('SELECT max(t) FROM large WHERE t > $1', 'x')
  await connection.run('DROP TABLE large')
  expect((await database.memory()).memoryBytes).toBeLessThan(memoryBytes / 10)
})

test('only the last few texts are kept, and none that are long or read files', async () => {
  const texts = Array.from({ length: readLimits.preparedStatementsMax + 1 }, (_, at) => `SELECT $1::DOUBLE + ${at}`)
  for (const text of texts) await ask(text, 1)
  for (const text of texts.toReversed()) await ask(text, 1)
  expect(parsed).toEqual([...texts, ...texts.slice(0, 1)])
  parsed = []
  for (const _ of [1, 2]) {
    await ask(`SELECT $1::DOUBLE + 0${' '.repeat(readLimits.preparedCharsMax)}`, 1)
    await ask('SELECT len($1)::DOUBLE', { files: ['a.parquet'] })
    await ask('SELECT 1::DOUBLE')
  }
  expect(parsed).toEqual([])
})
