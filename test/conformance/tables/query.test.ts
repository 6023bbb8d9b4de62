import { describe, expect, test } from 'bun:test'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { type RowOut, Tables } from '../support/tables.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const tables = new Tables(freshProject(server))
const rows = [
  { name: 'b', n: 10, in: { x: 2 } },
  { name: 'a', n: 9.5, in: { x: 1 } },
  { name: 'c', n: 'text', in: { x: null } },
  { name: 'a', n: '100', list: ['z', 'y'] },
  { name: 'd' },
]
const { digest, row_digests: digests } = await tables.create(rows)
const names = async (question: Record<string, unknown>) =>
  (await tables.vals(digest, question)).map((val) => (val as { name: string }).name).join('')
const by = (...keys: [string, string][]) => ({ sort_by: keys.map(([field, direction]) => ({ field, direction })) })

describe('pages', () => {
  test.each([
    [{ limit: 2 }, 'ba'],
    [{ limit: 2, offset: 1 }, 'ac'],
    [{ offset: 4 }, 'd'],
    [{ offset: 5 }, ''],
    [{ limit: 0 }, ''],
    [{ limit: null, offset: null }, 'bacad'],
    [{ limit: 99 }, 'bacad'],
  ])('%j', async (question, expected) => {
    expect(await names(question)).toBe(expected)
  })

  test('negative limits and offsets are rejected', async () => {
    expectRefusal(await tables.askQuery(digest, { limit: -1 }), 400)
    expectRefusal(await tables.askQuery(digest, { offset: -1 }), 400)
  })
})

describe('order', () => {
  test.each([
    [by(['name', 'asc']), 'aabcd'],
    [by(['name', 'desc']), 'dcbaa'],
    [by(['n', 'asc']), 'dabac'],
    [by(['n', 'desc']), 'abacd'],
    [by(['in.x', 'asc']), 'cadab'],
    [by(['in.x', 'desc']), 'bacad'],
    [by(['list.0', 'asc']), 'bacda'],
    [by(['missing', 'desc']), 'bacad'],
    [by(['name', 'asc'], ['n', 'desc']), 'aabcd'],
    [{ sort_by: [] }, 'bacad'],
    [{ ...by(['name', 'asc']), limit: 2, offset: 1 }, 'ab'],
  ])('%j', async (question, expected) => {
    expect(await names(question)).toBe(expected)
  })

  test('original_index is the position in the table', async () => {
    const sorted = await tables.query(digest, by(['name', 'desc']))
    expect(sorted.map(({ original_index }) => original_index)).toEqual([4, 2, 0, 1, 3])
    expect(sorted.map((row) => row.digest)).toEqual([4, 2, 0, 1, 3].map((index) => digests[index]!))
  })

  test.each(['', '.a', 'a.', 'a..b', 'a. .b', ' '])('the field "%s" is rejected', async (field) => {
    expectRefusal(await tables.askQuery(digest, by([field, 'asc'])), 400)
  })

  test('an unknown direction is rejected', async () => {
    expectInvalid(await tables.askQuery(digest, by(['a', 'up'])))
  })

  test.each([`a'; DROP TABLE x; --`, 'a"b', '$.*', 'a~b/c', '日本', '__proto__'])(
    'a field may be named %s',
    async (field) => {
      const odd = await tables.create([{ [field]: 2 }, { [field]: 1 }])
      const sorted = await tables.query(odd.digest, by([field, 'asc']))
      expect(sorted.map(({ original_index }) => original_index)).toEqual(field.includes('$.') ? [0, 1] : [1, 0])
    },
  )
})

describe('a filter', () => {
  test('keeps the rows with these digests, at their positions', async () => {
    const row_digests = [digests[3]!, digests[0]!, 'unknown']
    const found = await tables.query(digest, { filter: { row_digests } })
    expect(found.map(({ original_index }) => original_index)).toEqual([0, 3])
    const sorted = await tables.query(digest, { filter: { row_digests }, ...by(['name', 'asc']) })
    expect(sorted.map(({ original_index }) => original_index)).toEqual([3, 0])
    expect(await names({ filter: { row_digests }, limit: 1, offset: 1 })).toBe('a')
  })

  test('that is empty keeps all rows', async () => {
    for (const filter of [null, {}, { row_digests: null }, { row_digests: [] }]) {
      expect(await names({ filter })).toBe('bacad')
    }
  })

  test('does not see rows of other tables', async () => {
    const other = await tables.create([{ other: true }])
    expect(await tables.query(digest, { filter: { row_digests: other.row_digests } })).toEqual([])
  })
})

describe('a stream', () => {
  const stream = (question: Record<string, unknown>) =>
    server.post('/table/query_stream', { project_id: tables.project.id, digest, ...question })

  test('has one row per line', async () => {
    const answer = await stream({})
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/jsonl'])
    const lines = answer.text.split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.map((line) => JSON.parse(line) as RowOut)).toEqual(await tables.query(digest))
  })

  test('accepts the same requests as a query', async () => {
    expect((await stream({ limit: 1 })).text.split('\n').length).toBe(2)
    expect((await stream({ digest: 'unknown' })).text).toBe('')
    expectRefusal(await stream({ limit: -1 }), 400)
    expectRefusal(await stream(by(['a..b', 'asc'])), 400)
  })
})

describe('stats', () => {
  const batch = async (body: Record<string, unknown>) =>
    (await server.post('/table/query_stats_batch', { project_id: tables.project.id, ...body })).json

  test('of one table', async () => {
    expect(await tables.count(digest)).toBe(5)
    expect(await tables.count('unknown')).toBe(0)
  })

  test('of several tables, leaving out unknown ones', async () => {
    const twice = await tables.create([{ ä: 1 }, { ä: 1 }])
    expect(await batch({ digests: [twice.digest, 'unknown', digest, digest] })).toEqual({
      tables: [
        { count: 2, digest: twice.digest, storage_size_bytes: null },
        { count: 5, digest, storage_size_bytes: null },
      ],
    })
    expect(await batch({ digests: [twice.digest], include_storage_size: true })).toEqual({
      tables: [{ count: 2, digest: twice.digest, storage_size_bytes: 2 * 8 }],
    })
    expect(await batch({})).toEqual({ tables: [] })
    expect(await batch({ digests: null })).toEqual({ tables: [] })
  })
})

test('a large table is paged, sorted and streamed', async () => {
  const large = new Tables(freshProject(server))
  const all = Array.from({ length: 20_000 }, (_, n) => ({ n, text: `row ${n}`.repeat(3), key: (n * 7919) % 20_000 }))
  const created = await large.create(all)
  expect(await large.vals(created.digest, { offset: 12_345, limit: 5 })).toEqual(all.slice(12_345, 12_350))
  const sorted = await large.vals(created.digest, { ...by(['key', 'desc']), limit: 3 })
  expect(sorted.map((val) => (val as { key: number }).key)).toEqual([19_999, 19_998, 19_997])
  expect(await large.vals(created.digest)).toEqual(all)
}, 120_000)
