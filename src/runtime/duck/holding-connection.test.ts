import { expect, test } from 'bun:test'
import { DuckDBListValue } from '@duckdb/node-api'
import { Semaphore } from '../../lib/semaphore.ts'
import { Database } from './database.ts'
import { pathsIn } from './holding-connection.ts'
import { Reader } from './reader.ts'

test('paths are found in literals and values, and only below the folder', () => {
  const text = `SELECT 'a', 'it''s' FROM read_parquet(['/d/t/1.parquet', '/d/t/it''s.index', '/other/2.parquet'])
    WHERE x = '/d/t/3.txt' AND y = $1`
  expect(pathsIn(text, undefined, '/d/')).toEqual(['/d/t/1.parquet', "/d/t/it's.index"])
  const values = [new DuckDBListValue(['/d/t/4.parquet', '/d/t/5.index']), '/d/t/6.parquet', 7, null, 'parquet']
  expect(pathsIn('SELECT $1', values, '/d/')).toEqual(['/d/t/4.parquet', '/d/t/5.index', '/d/t/6.parquet'])
})

test('quotes in the folder are those of the literal', () => {
  expect(pathsIn("FROM '/it''s/t/1.parquet'", undefined, "/it's/")).toEqual(["/it's/t/1.parquet"])
})

test('a statement that waits for files leaves its turn to others, and holds them once', async () => {
  const arrival = Promise.withResolvers<void>()
  const held: (readonly string[])[] = []
  let released = 0
  const hold = async (paths: readonly string[]) => {
    held.push(paths)
    await arrival.promise
    return { [Symbol.dispose]: () => void released++ }
  }
  const database = await Database.open({ memoryBytesMax: 64e6, temporaryFolder: '', files: { folder: '/d/', hold } })
  const turns = new Semaphore(1)
  const open = async () => new Reader(await database.connect(), undefined, turns)
  const [waiting, streaming, other] = [await open(), await open(), await open()]
  const limits = { timeoutMs: 60_000 }
  const path = '/d/t/1.parquet'
  try {
    const rows = waiting.rows({ text: 'SELECT $1[1]', values: [{ files: [path] }] }, limits)
    const texts = Array.fromAsync(streaming.texts({ text: 'SELECT $1[1]', values: [{ files: [path] }] }, limits))
    expect(await other.rows({ text: 'SELECT 1', values: [] }, limits)).toEqual([[1]])
    expect(released).toBe(0)
    arrival.resolve()
    expect(await rows).toEqual([[path]])
    expect(await texts).toEqual([[path]])
    expect(held).toEqual([[path], [path]])
    expect(released).toBe(2)
  } finally {
    for (const reader of [waiting, streaming, other]) reader.close()
    database.close()
  }
})
