import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Database } from '../runtime/duck/database.ts'
import { Reader } from '../runtime/duck/reader.ts'
import { notMaskedSql } from './not-masked.ts'

const key = ['project', 'id'] as const
let database: Database
let reader: Reader

beforeAll(async () => {
  database = await Database.open({ memoryBytesMax: 64e6, temporaryFolder: '' })
  const connection = await database.connect()
  for (const [name, rows] of Object.entries({
    notes: `('p', 'a', 1), ('p', 'b', 2), ('q', 'a', 3), ('p', 'c', 4), ('p', NULL, 5), (NULL, 'a', 6)`,
    one: `('p', 'a', 1)`,
    two: `('p', 'c', 1), ('p', 'x', 1), ('r', 'b', 1)`,
    none: `('', '', 1)`,
  })) {
    await connection.run(`CREATE TABLE "${name}" AS SELECT * FROM (VALUES ${rows}) t(project, id, number)`)
  }
  await connection.run(`DELETE FROM "none"`)
  reader = new Reader(connection)
})

afterAll(() => {
  reader.close()
  database.close()
})

const rowsOf = (text: string) => reader.rows({ text, values: [] }, { timeoutMs: 60_000 })

const numbers = async (masks: readonly string[]) =>
  (await rowsOf(`SELECT number FROM "notes" t WHERE ${notMaskedSql('t', key, masks)} ORDER BY number`)).flat()

test('a mask hides the rows with its keys, of which both parts count', async () => {
  expect(await numbers(['one'])).toEqual([2, 3, 4, 5, 6])
  expect(await numbers(['two'])).toEqual([1, 2, 3, 5, 6])
})

test('of several masks, each hides its rows', async () => {
  expect(await numbers(['one', 'two'])).toEqual([2, 3, 5, 6])
  expect(await numbers(['none', 'one'])).toEqual([2, 3, 4, 5, 6])
})

test('an empty mask hides nothing', async () => {
  expect(await numbers(['none'])).toEqual([1, 2, 3, 4, 5, 6])
})

test('DuckDB does not collect the keys of all rows, whatever the other conditions', async () => {
  for (const masks of [['one'], ['one', 'two']]) {
    const select = `SELECT count(*) FROM "notes" t WHERE number > 1 AND ${notMaskedSql('t', key, masks)}`
    const plan = (await rowsOf(`EXPLAIN ${select}`)).flat().join('\n')
    expect(plan).toContain('HASH_JOIN')
    expect(plan).not.toContain('DELIM')
    expect(plan).not.toContain('GROUP_BY')
  }
})
