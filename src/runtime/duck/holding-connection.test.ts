import { expect, test } from 'bun:test'
import { DuckDBListValue } from '@duckdb/node-api'
import { pathsIn } from './holding-connection.ts'

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
