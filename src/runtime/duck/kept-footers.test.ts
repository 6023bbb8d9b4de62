import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdir, utimes } from 'node:fs/promises'
import { itemAt } from '../../lib/present.ts'
import { fileExists, newTemporaryFolder, removeFile, removeFolder } from '../platform/files/files.ts'
import { joinPath } from '../platform/files/paths.ts'
import { Database } from './database.ts'
import { KeptFooters } from './kept-footers.ts'
import { ReaderPool } from './reader-pool.ts'

const filesMax = 8
const limits = { timeoutMs: 60_000 }
let folder: string
let database: Database
let readers: ReaderPool

beforeAll(async () => {
  folder = await newTemporaryFolder()
  database = await Database.open({ memoryBytesMax: 256e6, temporaryFolder: folder, footersMax: filesMax })
  readers = new ReaderPool(database, { readersMax: 4, waitingMax: 4 })
})

afterAll(async () => {
  readers.close()
  database.close()
  await removeFolder(folder)
})

const rowsOf = (number: number): number => 20_480 + number

/** Writes a file with a large footer, unlike that of any other number. */
async function writeFile(name: string, number: number): Promise<string> {
  const path = joinPath(folder, name)
  const connection = await database.connect()
  const columns = Array.from({ length: 40 }, (_, index) => `${number} AS c${index}`).join(', ')
  await connection.run(
    `COPY (SELECT ${columns} FROM range(${rowsOf(number)})) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`,
  )
  connection.closeSync()
  return path
}

const writeFiles = (count: number, prefix: string): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => writeFile(`${prefix}-${index}.parquet`, index)))

/** The number of rows of files, and the sum of a column. */
async function totalsOf(paths: readonly string[]): Promise<unknown> {
  const reader = await readers.acquire()
  try {
    const text = 'SELECT count(*)::DOUBLE, sum(c0)::DOUBLE FROM read_parquet($1)'
    return itemAt(await reader.rows({ text, values: [{ files: paths }] }, limits), 0)
  } finally {
    readers.release(reader)
  }
}

/** The totals that files of these numbers have together. */
const totals = (...numbers: number[]): number[] => [
  sum(numbers.map(rowsOf)),
  sum(numbers.map((number) => number * rowsOf(number))),
]

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Bytes of the footers that DuckDB keeps, by its own count. */
async function keptBytes(): Promise<number> {
  const connection = await database.connect()
  try {
    const kept = "SELECT memory_usage_bytes::DOUBLE FROM duckdb_memory() WHERE tag = 'OBJECT_CACHE'"
    return Number(itemAt(itemAt((await connection.runAndReadAll(kept)).getRows(), 0), 0))
  } finally {
    connection.closeSync()
  }
}

test('the footers of a bounded number of files are kept, and answers stay right', async () => {
  const paths = await writeFiles(5 * filesMax, 'many')
  expect(await totalsOf([itemAt(paths, 3)])).toEqual(totals(3))
  const one = await keptBytes()
  expect(one).toBeGreaterThan(10_000)
  for (let round = 0; round < 3; round++) {
    for (const [index, path] of paths.entries()) {
      expect(await totalsOf([path])).toEqual(totals(index))
    }
  }
  expect(database.footers?.size).toBeLessThanOrEqual(filesMax)
  expect(await keptBytes()).toBeLessThan((filesMax + 2) * one)
  // More files than may be kept are read as well.
  expect(await totalsOf(paths)).toEqual(totals(...paths.keys()))
  expect(await keptBytes()).toBeLessThan((filesMax + 2) * one)
})

test('files written in the same second are told apart', async () => {
  const paths = await writeFiles(3 * filesMax, 'same')
  for (const path of paths) await utimes(path, 1_600_000_000, 1_600_000_000)
  for (let round = 0; round < 3; round++) {
    for (const [index, path] of paths.entries()) {
      expect(await totalsOf([path])).toEqual(totals(index))
    }
  }
})

test('links of files in use lead there until the statement has ended', async () => {
  const paths = await writeFiles(filesMax, 'used')
  const others = await writeFiles(2 * filesMax, 'other')
  const reader = await readers.acquire()
  try {
    const text = 'SELECT c0::VARCHAR FROM read_parquet($1)'
    const rows = reader.texts({ text, values: [{ files: paths }] }, limits)
    const seen = new Map<string, number>()
    for await (const texts of rows) {
      for (const value of texts) seen.set(value, (seen.get(value) ?? 0) + 1)
      for (const [index, path] of others.entries()) {
        if (seen.size > 2) break
        expect(await totalsOf([path])).toEqual(totals(index))
      }
    }
    expect([...seen.values()]).toEqual([...paths.keys()].map(rowsOf))
  } finally {
    readers.release(reader)
  }
})

test('an error names the file and not its link', async () => {
  const path = joinPath(folder, 'missing.parquet')
  expect(await fileExists(path)).toBe(false)
  const failed = await totalsOf([path]).catch((cause: unknown) => cause)
  expect(String((failed as Error).cause)).toContain(path)
  expect(String((failed as Error).cause)).not.toContain('footers-')
})

test('reading a removed file fails, although its footer is kept', async () => {
  const [path = ''] = await writeFiles(1, 'gone')
  expect(await totalsOf([path])).toEqual(totals(0))
  await removeFile(path)
  expect(
    await totalsOf([path]).then(
      () => 'read',
      () => 'failed',
    ),
  ).toBe('failed')
})

test('links that are gone are made again', async () => {
  const paths = await writeFiles(2, 'unlinked')
  expect(await totalsOf(paths)).toEqual(totals(0, 1))
  for (const name of await readdir(folder)) if (name.startsWith('footers-')) await removeFolder(joinPath(folder, name))
  // It finds out.
  await totalsOf(paths).catch(() => {})
  expect(await totalsOf(paths)).toEqual(totals(0, 1))
})

test('where no link can be made, files are read by their own names', async () => {
  const [path = ''] = await writeFiles(1, 'blocked')
  const blocked = new KeptFooters(joinPath(path, 'links'), filesMax)
  for (let times = 0; times < 2; times++) expect(await blocked.take([path])).toBeUndefined()
})
