import { afterAll, expect, test } from 'bun:test'
import { isInLake } from '../support/lake-place.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'

/*
 * Which requests a fake ClickHouse server is asked about, and what becomes of its answers.
 * `scripts/test engines --stage counts` compares the answers of the real engine.
 */

const statements: string[] = []
let answer: () => Response = () => new Response('unset', { status: 500 })
/** The ids that were found in one file. */
const found =
  (...ids: readonly string[]) =>
  () =>
    Response.json({ data: [[1, 0, ids.map((id) => [id, null])]] })

const fake = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    statements.push(await request.text())
    return answer()
  },
})
afterAll(() => fake.stop(true))

const location = { TRACELAKE_CLICKHOUSE_LOCATION: 'https://lake.example.com/traces' }
const env = { TRACELAKE_CLICKHOUSE_URL: fake.url.href, ...(isInLake && location) }
const { client } = await ownServer({ env: { ...env, TRACELAKE_CLICKHOUSE_FROM_MB: '0' } })
const project = freshProject(client)
const texts = { a: 'one refund', b: 'no refund', c: 'a refund now', d: 'nothing' }
await project.add(...Object.entries(texts).map(([id, output]) => ({ id, output })))
await client.post('/flush', {})

const literal = (value: unknown) => ({ $literal: value })
const contains = (text: string) => ({
  query: { $expr: { $contains: { input: { $getField: 'output' }, substr: literal(text) } } },
})
const containsWord = (text: string) => ({
  query: { $expr: { $containsToken: { input: { $getField: 'output' }, substr: literal(text) } } },
})
const ask = (more: Record<string, unknown>) =>
  client.post<{ calls: { id: string; started_at: string }[] }>(
    '/calls/query',
    { project_id: project.id, ...more },
    { headers: { prefer: 'explain' } },
  )
const ids = async (more: Record<string, unknown>) => (await ask(more)).json.calls.map(({ id }) => id)
const newestFirst = { sort_by: [{ field: 'started_at', direction: 'desc' }] }

/** The statements that a request leads to. */
async function asked(request: () => Promise<unknown>): Promise<readonly string[]> {
  const before = statements.length
  await request()
  return statements.slice(before)
}

test('ClickHouse finds the calls of a page, which are then read here', async () => {
  answer = found('a', 'c')
  const request = { ...contains('refund'), limit: 2, engine: 'clickhouse' }
  expect((await ids(request)).toSorted()).toEqual(['a', 'c'])
  const [statement] = statements.slice(-1)
  expect(statement).toContain('ORDER BY')
  expect(statement).not.toContain('refund')
})

test('what ClickHouse does not answer exactly is tested here on the calls that it found', async () => {
  answer = found('a', 'b', 'd')
  expect((await ids({ ...containsWord('refund'), engine: 'clickhouse' })).toSorted()).toEqual(['a', 'b'])
  const { json } = await client.post<{ count: number }>('/calls/query_stats', {
    project_id: project.id,
    ...containsWord('refund'),
    engine: 'clickhouse',
  })
  expect(json.count).toBe(2)
})

test('a search from the configured amount of data on goes to ClickHouse without being told to', async () => {
  answer = found('b')
  expect(await asked(() => ids({ ...contains('refund'), limit: 10 }))).toHaveLength(1)
  expect(await asked(() => ids({ ...contains('refund'), ...newestFirst, limit: 10 }))).toHaveLength(1)
  expect(await asked(() => ids(contains('refund')))).toHaveLength(1)
  expect(await ids({ ...contains('refund'), limit: 10 })).toEqual(['b'])
})

test.each([
  ['names DuckDB', { ...contains('refund'), engine: 'duckdb' }],
  ['searches nothing', newestFirst],
  ['compares plain columns', { query: { $expr: { $eq: [{ $getField: 'op_name' }, literal('x')] } } }],
])('a request that %s does not', async (_what, request) => {
  expect(await asked(() => ids(request))).toEqual([])
})

test('less data than configured is searched here', async () => {
  const { client: other } = await ownServer({ env: { ...env, TRACELAKE_CLICKHOUSE_FROM_MB: '1' } })
  const small = freshProject(other)
  await small.add({ id: 'a', output: 'one refund' })
  await other.post('/flush', {})
  const request = () => other.post('/calls/query', { project_id: small.id, ...contains('refund') })
  expect(await asked(request)).toEqual([])
})

test('calls in memory are found as well', async () => {
  answer = found('a', 'b')
  const other = freshProject(client)
  await other.add({ id: 'a', output: 'a refund' }, { id: 'b', output: 'b refund' })
  await client.post('/flush', {})
  await other.add({ id: 'memory', output: 'a new refund' }, { id: 'nothing', output: 'nothing' })
  const { json } = await client.post<{ calls: { id: string }[] }>('/calls/query', {
    project_id: other.id,
    ...contains('refund'),
    limit: 10,
  })
  expect(json.calls.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'memory'])
})

test('statistics over time are of the calls that ClickHouse found', async () => {
  answer = found('a', 'c')
  const { json: first } = await ask({ limit: 1 })
  const start = Date.parse(first.calls[0]!.started_at) - 1000
  const { json } = await client.post<{ call_totals: Record<string, unknown>[] }>('/calls/stats', {
    project_id: project.id,
    ...contains('refund'),
    start: new Date(start).toISOString(),
    end: new Date(start + 3_600_000).toISOString(),
    granularity: 3600,
    call_metrics: [{ metric: 'call_count', aggregations: ['sum'] }],
    totals: true,
    engine: 'clickhouse',
  })
  expect(json.call_totals).toMatchObject([{ sum_call_count: 2 }])
})

test('where the engines might differ, DuckDB answers', async () => {
  answer = () => Response.json({ data: [[1, 1, []]] })
  expect((await ids({ ...contains('refund'), engine: 'clickhouse' })).toSorted()).toEqual(['a', 'b', 'c'])
})

test.each([
  ['is out of memory', () => new Response('Code: 241. DB::Exception: Memory limit', { status: 500 }), 502],
  ['lacks a file', () => Response.json({ data: [[0, 0, []]] }), 503],
  ['sends texts for numbers', () => Response.json({ data: [['1', '0', []]] }), 503],
])('if ClickHouse %s, a request that names it fails, and DuckDB answers any other', async (_what, answers, status) => {
  answer = answers
  expectRefusal(await ask({ ...contains('refund'), engine: 'clickhouse' }), status)
  const { json, headers } = await ask({ ...contains('refund') })
  expect(json.calls.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c'])
  expect(headers.get('server-timing')).toMatch(/engine;dur=[\d.]+;desc="duckdb".*, reason;desc="/)
})

test('a server that was gone is left alone for a while, unless a request names it', async () => {
  answer = () => new Response('gone', { status: 500 })
  const startMs = performance.now()
  await ids(contains('refund'))
  answer = found('a')
  const later = await asked(() => ids(contains('refund')))
  // On a machine that is slow enough, the pause is over.
  if (performance.now() - startMs < 20_000) expect(later).toEqual([])
  expect(await asked(() => ids({ ...contains('refund'), engine: 'clickhouse' }))).toHaveLength(1)
})
