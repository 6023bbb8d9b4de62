import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { json, text, time } from '../../src/engine/tables/columns.ts'
import { defineTable } from '../../src/engine/tables/define-table.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { damageSection, indexFiles, replaceSection } from './index-files.ts'
import { StoreBench } from './store-bench.ts'
import { tableFaults } from './table-faults.ts'
import { until } from './until.ts'

const letters = defineTable({
  name: 'letters',
  description: 'Letters.',
  columns: {
    id: text('id', { located: true }),
    thread: text('thread', { nullable: true, located: true }),
    kind: text('kind', { counted: true }),
    body: json('content', { pathed: true }),
    created_at: time('when'),
  },
  id: 'id',
  order: ['created_at'],
  presence: 'kind',
})

const projectId = 'acme/post'
const count = 600

const { valueIndexRowsMin, valueIndexBlockRows, valuesCountedMax } = storageLimits
beforeAll(() => {
  Object.assign(storageLimits, { valueIndexRowsMin: 100, valueIndexBlockRows: 16, valuesCountedMax: 50 })
})
afterAll(() => {
  Object.assign(storageLimits, { valueIndexRowsMin, valueIndexBlockRows, valuesCountedMax })
})

const rowOf = (number: number) =>
  letters.row({
    project_id: projectId,
    id: `letter-${number}`,
    thread: number % 3 === 0 ? null : `thread-${Math.floor(number / 20)}`,
    kind: number % 2 === 0 ? 'card' : 'parcel',
    body: JSON.stringify({ sender: `sender-${number % 200}`, stamp: number % 5 }),
    created_at: 1e15 + number * 1e6,
  })

async function filled(): Promise<StoreBench> {
  const bench = await StoreBench.open([letters])
  await bench.store.write(
    'letters',
    Array.from({ length: count }, (_, number) => rowOf(number)),
  )
  await bench.store.flush()
  return bench
}

/** How many rows have to be read for a value, and how many of them have it. */
async function find(bench: StoreBench, key: string, value: string): Promise<{ read: number; found: number }> {
  const values = new Map([[key, [value]]])
  return await bench.store.read(['letters'], { projectId }, async (snapshot) => {
    const { branches } = await snapshot.relationWhere('letters', {}, { paths: [key] }, { values })
    let [read, found] = [0, 0]
    for (const { source } of branches) {
      if (source.kind === 'table') continue
      const ranges = source.rowRanges?.map(([first, last]) => `file_row_number BETWEEN ${first} AND ${last}`)
      const column = key.includes('/') ? `json_extract(body, '/${key.split('/')[1]}')::VARCHAR` : key
      const paths = source.paths.map((path) => `'${path}'`).join()
      const [row] = await snapshot.rows({
        text: `SELECT count(*), count(*) FILTER (${column} = '${value}') FROM
          read_parquet([${paths}], file_row_number = true) WHERE ${ranges?.join(' OR ') ?? 'true'}`,
        values: [],
      })
      read += row![0] as number
      found += row![1] as number
    }
    return { read, found }
  })
}

test('only rows near those with a value are read', async () => {
  await using bench = await filled()
  expect(indexFiles(bench)).toHaveLength(1)
  expect(await find(bench, 'id', 'letter-77')).toEqual({ read: 16, found: 1 })
  expect(await find(bench, 'id', 'letter-nowhere')).toEqual({ read: 0, found: 0 })
  expect(await find(bench, 'thread', 'thread-9')).toEqual({ read: 32, found: 13 })
  expect(await find(bench, 'body/sender', '"sender-150"')).toEqual({ read: 48, found: 3 })
  expect(await find(bench, 'body/sender', '"sender-nobody"')).toEqual({ read: 0, found: 0 })
  // Values of which there are few are counted.
  expect(await find(bench, 'kind', 'letter')).toEqual({ read: 0, found: 0 })
  expect(await find(bench, 'kind', 'card')).toEqual({ read: count, found: count / 2 })
})

test('a missing or damaged index rules out nothing, is reported, and is rebuilt', async () => {
  await using bench = await filled()
  const [path] = indexFiles(bench) as [string]
  const bytes = readFileSync(path)
  const one = { read: 16, found: 1 }
  expect(await tableFaults(bench.folder, letters)).toEqual([])
  const damages = [
    () => writeFileSync(path, new Uint8Array(10_000).fill(7)),
    () => writeFileSync(path, bytes.with(bytes.length - 20, 0)),
    () => damageSection(path, 'values'),
    // A page, whose damage shows when it is read.
    () => damageSection(path, 'values', 1_200),
    () => truncateSync(path, 1000),
    () => writeFileSync(path, ''),
    () => rmSync(path),
    () => replaceSection(path, 'values'),
  ]
  for (const [index, damage] of damages.entries()) {
    await bench.close()
    await damage()
    expect(await tableFaults(bench.folder, letters)).toHaveLength(index < 6 ? 1 : 0)
    await bench.reopen()
    expect((await find(bench, 'id', 'letter-77')).found).toBe(1)
    await until(async () => (await find(bench, 'id', 'letter-77')).read < count)
    expect(await find(bench, 'id', 'letter-77')).toEqual(one)
    expect(new Uint8Array(readFileSync(path))).toEqual(new Uint8Array(bytes))
  }
}, 120_000)

test('an index goes with its data file', async () => {
  await using bench = await filled()
  const before = indexFiles(bench)
  await bench.store.write('letters', [letters.tombstone(projectId, 'letter-1', 2e15)])
  await bench.store.flush()
  await bench.removeReplaced()
  expect(indexFiles(bench)).toHaveLength(1)
  expect(indexFiles(bench)).not.toEqual(before)
  expect(await find(bench, 'id', 'letter-1')).toEqual({ read: 0, found: 0 })
  expect((await find(bench, 'id', 'letter-77')).found).toBe(1)
  writeFileSync(before[0]!, '')
  await bench.reopen()
  expect(indexFiles(bench)).toHaveLength(1)
})
