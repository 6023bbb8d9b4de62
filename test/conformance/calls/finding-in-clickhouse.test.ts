import { afterAll, beforeEach, expect, test } from 'bun:test'
import type { Answer } from '../support/client.ts'
import { isInLake } from '../support/lake-place.ts'
import { Queues } from '../support/queues.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

/*
 * Operations that take the calls of a filter further leave the search for them to ClickHouse, too:
 * a fake server finds calls, and what becomes of them is the work of DuckDB.
 */

let asked = 0
let answer: (statement: string, values: URLSearchParams) => Response = () => new Response('unset', { status: 500 })
const fake = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    asked += 1
    return answer(await request.text(), new URL(request.url).searchParams)
  },
})
afterAll(() => fake.stop(true))

const location = { TRACELAKE_CLICKHOUSE_LOCATION: 'https://lake.example.com/traces' }
const { client } = await ownServer({
  env: {
    TRACELAKE_CLICKHOUSE_URL: fake.url.href,
    TRACELAKE_CLICKHOUSE_FROM_MB: '0',
    ...(isInLake && location),
  },
})
const project = freshProject(client)
const outputs = { a: 'one refund', b: 'no refund', c: 'a refund now', d: 'nothing' }
await project.complete(
  ...Object.entries(outputs).map(([id, output], index) => ({
    id,
    output,
    thread_id: `thread-${id}`,
    turn_id: id,
    started_at: `2026-01-01T10:00:0${index}Z`,
    ended_at: `2026-01-01T10:00:1${index}Z`,
    summary: { usage: { m: { prompt_tokens: index + 1 } } },
  })),
)
await client.post('/flush', {})
const queue = await new Queues(project).create()

const query = { $expr: { $contains: { input: { $getField: 'output' }, substr: { $literal: 'refund' } } } }
type Ask = (more?: object) => Promise<Answer<unknown>>
const post =
  (path: string, body: object): Ask =>
  (more = {}) =>
    client.post(path, { project_id: project.id, ...body, ...more })

/** Each operation, the calls that its answer is about, and the calls that DuckDB finds. */
const operations: readonly (readonly [string, Ask, (text: string) => readonly string[], readonly string[]])[] = [
  [
    'usage',
    post('/trace/usage', { query }),
    (text) => Object.keys((JSON.parse(text) as { call_usage: object }).call_usage),
    ['a', 'b', 'c'],
  ],
  [
    'a search of all texts',
    post('/calls/search', { text: 'REFUND' }),
    (text) => (JSON.parse(text) as { matches: { id: string }[] }).matches.map(({ id }) => id),
    ['a', 'b', 'c'],
  ],
  [
    'threads',
    post('/threads/stream_query', { query }),
    (text) => text.split('\n').flatMap((line) => /"thread_id":"thread-(.)"/.exec(line)?.[1] ?? []),
    ['a', 'b', 'c'],
  ],
  [
    'what is added to a queue',
    post(`/annotation_queues/${queue.json.id}/items/add_by_query`, { query, count_only: true }),
    (text) => Array.from({ length: (JSON.parse(text) as { matched_count: number }).matched_count }, () => 'one'),
    ['one', 'one', 'one'],
  ],
]

const found = () => {
  answer = () =>
    Response.json({
      data: [
        [
          1,
          0,
          [
            ['c', null],
            ['a', null],
          ],
        ],
      ],
    })
}
beforeEach(found)

test.each(operations)('%s: of the calls that ClickHouse found', async (_what, ask, idsIn, all) => {
  const before = asked
  const there = await ask()
  expect(`${there.status} ${there.text}`).toStartWith('200 ')
  expect(idsIn(there.text).length).toBe(2)
  expect(idsIn(there.text).filter((id) => !['a', 'c', 'one'].includes(id))).toEqual([])
  expect(asked).toBe(before + 1)
  const here = await ask({ engine: 'duckdb' })
  expect(idsIn(here.text).toSorted()).toEqual([...all])
  expect(asked).toBe(before + 1)
})

test.each(operations)('%s: by DuckDB if ClickHouse fails, unless it is named', async (_what, ask, idsIn, all) => {
  answer = () => new Response('Code: 241. DB::Exception: Memory limit', { status: 500 })
  expectRefusal(await ask({ engine: 'clickhouse' }), 502)
  expect(idsIn((await ask()).text).toSorted()).toEqual([...all])
})

test('a search in ClickHouse is of all calls, page by page', async () => {
  const first = await post('/calls/search', { text: 'refund', limit: 1 })({ engine: 'clickhouse' })
  expect(first.json).toMatchObject({ matches: [{ id: 'c' }], calls_read: 4, is_partial: false })
  const { after } = first.json as { after: unknown }
  answer = () => Response.json({ data: [[1, 0, [['a', null]]]] })
  const last = await post('/calls/search', { text: 'refund', limit: 1, after })({ engine: 'clickhouse' })
  expect(last.json).toMatchObject({ matches: [{ id: 'a' }], after: null, is_partial: false })
})

test('a search for what ClickHouse folds otherwise is left to DuckDB, or refused', async () => {
  const before = asked
  const ask = post('/calls/search', { text: 'ɤ' })
  expect((await ask()).json).toMatchObject({ matches: [] })
  expectRefusal(await ask({ engine: 'clickhouse' }), 400, 'leave out "engine"')
  expect(asked).toBe(before)
})

/** More calls than one request may name to DuckDB. */
const tooMany = JSON.stringify({ data: [[1, 0, Array.from({ length: 200_001 }, (_, id) => [`x${id}`, null])]] })
const exported = async (direction: string, more: object = {}) => {
  const ask = post('/calls/stream_query', { query, columns: ['id'], sort_by: [{ field: 'started_at', direction }] })
  return (await ask(more)).text.split('\n').flatMap((line) => /"id":"(.)"/.exec(line)?.[1] ?? [])
}

/** The calls of the time that a statement asks for; too many if these are two. */
function foundInTime(statement: string, values: URLSearchParams): Response {
  const bound = (comparison: string, otherwise: number) => {
    const [, name] = new RegExp(`"started_at"\\) ${comparison} \\{(p\\d+):`).exec(statement) ?? []
    return name === undefined ? otherwise : Number(values.get(`param_${name}`))
  }
  const [after, through] = [bound('>', Number.NEGATIVE_INFINITY), bound('<=', Number.POSITIVE_INFINITY)]
  const starts = ['a', 'b', 'c'].map((id, second) => ({ id, start: (Date.UTC(2026, 0, 1, 10) + second * 1000) * 1000 }))
  const inTime = starts.filter(({ start }) => start > after && start <= through)
  if (inTime.length > 1) return new Response(tooMany)
  return Response.json({ data: [[1, 0, inTime.map(({ id, start }) => [id, start])]] })
}

test.each([
  ['asc', ['a', 'b', 'c']],
  ['desc', ['c', 'b', 'a']],
])('an export in the order of time, %s, of many calls is found in parts', async (direction, ids) => {
  answer = foundInTime
  const before = asked
  expect(await exported(direction, { engine: 'clickhouse' })).toEqual(ids)
  expect(asked - before).toBeGreaterThanOrEqual(4)
})

test.each([
  ['asc', undefined, 'id\r\na\r\nb\r\nc\r\n'],
  ['desc', undefined, 'id\r\nc\r\nb\r\na\r\n'],
  ['asc', 20_000, 'id\r\na\r\nb\r\nc\r\n'],
])('CSV in the order of time, %s, with the limit %p, is found in parts, too', async (direction, limit, text) => {
  answer = foundInTime
  const before = asked
  const sort_by = [{ field: 'started_at', direction }]
  const request = { query, columns: ['id'], sort_by, limit, engine: 'clickhouse' }
  const found = await project.ask(request, 'text/csv')
  expect(`${found.status} ${found.text}`).toBe(`200 ${text}`)
  expect(asked - before).toBeGreaterThanOrEqual(4)
})

test('an export that ClickHouse found too many calls for says so, and for how long it searched', async () => {
  answer = () => new Response(tooMany)
  const { status, headers } = await client.post(
    '/calls/stream_query',
    { project_id: project.id, query, columns: ['id'] },
    { headers: { prefer: 'explain' } },
  )
  expect(status).toBe(200)
  const timing = headers.get('server-timing') ?? ''
  expect(timing).toMatch(/engine;dur=[\d.]+;desc="duckdb".*reason;desc="ClickHouse found more than 200000 calls"$/)
  expect(timing).not.toContain('engine;dur=0.0;')
})

test('a Parquet file is written by one statement, so too many calls are left to DuckDB, or refused', async () => {
  answer = foundInTime
  const request = { query, columns: ['id'] }
  const parquet = 'application/vnd.apache.parquet'
  expect((await project.ask(request, parquet)).status).toBe(200)
  expectRefusal(await project.ask({ ...request, engine: 'clickhouse' }, parquet), 400, 'narrow the condition')
})

test('a Parquet file with costs is written from rows, which are found in parts', async () => {
  answer = foundInTime
  const before = asked
  const request = { query, columns: ['id', 'summary'], include_costs: true, engine: 'clickhouse' }
  const found = await project.ask(request, 'application/vnd.apache.parquet')
  expect(found.status).toBe(200)
  expect(asked - before).toBeGreaterThanOrEqual(4)
})
