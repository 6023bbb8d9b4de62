import { afterAll, expect, test } from 'bun:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { runInBackground } from './writer.ts'

const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '64MB', temp_directory: '' })
const connection = await instance.connect()
afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

const messageOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'none'
  } catch (cause) {
    return (cause as Error).message.split('\n')[0]!
  }
}

test('runs a statement to its end', async () => {
  await runInBackground(connection, 'CREATE TABLE numbers AS SELECT i FROM range(500000) r(i) ORDER BY hash(i)')
  const [[count]] = (await connection.runAndReadAll('SELECT count(*)::INTEGER FROM numbers')).getRows() as [[number]]
  expect(count).toBe(500_000)
})

const failing: readonly string[] = [
  'SELECT missing FROM range(10)',
  "CREATE TABLE failed AS SELECT ('x' || i)::INTEGER AS n FROM range(500000) r(i)",
  "COPY (SELECT 1) TO '/missing/folder/file.parquet' (FORMAT parquet)",
]
for (const text of failing) {
  test(`fails as DuckDB does: ${text}`, async () => {
    const expected = await messageOf(connection.run(text))
    expect(expected).not.toBe('none')
    expect(await messageOf(runInBackground(connection, text))).toBe(expected)
    expect((await connection.runAndReadAll('SELECT 42')).getRows()).toEqual([[42]])
  })
}

test('reports lack of memory as DuckDB does', async () => {
  const text = "CREATE TABLE wide AS SELECT repeat('x', 1000) || hash(i) AS t FROM range(200000) r(i) ORDER BY t"
  expect(await messageOf(runInBackground(connection, text))).toStartWith('Out of Memory Error')
})
