import { afterAll, expect, test } from 'bun:test'
import { basic } from '../support/client.ts'
import { isInLake } from '../support/lake-place.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer, sharedServer } from '../support/target.ts'
import { until } from '../support/until.ts'

/*
 * A fake ClickHouse server whose answers the tests choose. `scripts/test engines --stage counts`
 * compares the answers of the real engine.
 */

interface Asked {
  readonly statement: string
  readonly settings: URLSearchParams
  readonly headers: Headers
  readonly signal: AbortSignal
}

const asked: Asked[] = []
let answer: () => Response | Promise<Response> = () => new Response('unset', { status: 500 })
const figures = (files: number, found: number, doubtful: number) => () =>
  Response.json({ meta: [], data: [[files, found, doubtful]], rows: 1 })
const failure = (status: number, code: number, text: string) => () =>
  new Response(`Code: ${code}. DB::Exception: ${text}`, {
    status,
    headers: { 'x-clickhouse-exception-code': `${code}` },
  })

const fake = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    const { searchParams } = new URL(request.url)
    const { headers, signal } = request
    asked.push({ statement: await request.text(), settings: searchParams, headers, signal })
    return await answer()
  },
})
afterAll(() => fake.stop(true))

const { client } = await ownServer({
  env: {
    TRACELAKE_CLICKHOUSE_URL: fake.url.href,
    TRACELAKE_CLICKHOUSE_USER: 'reader',
    TRACELAKE_CLICKHOUSE_PASSWORD: 'pass word',
    TRACELAKE_CLICKHOUSE_LOCATION: isInLake ? 'https://lake.example.com/traces/' : '/mnt/traces/',
    TRACELAKE_QUERY_TIMEOUT_S: '30',
  },
})
const project = freshProject(client)
await project.add({ id: 'a' }, { id: 'b' }, { id: 'c' })
await client.post('/flush', {})

const count = (more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  client.post<{ count: number; has_more: boolean }>(
    '/calls/query_stats',
    { project_id: project.id, engine: 'clickhouse', ...more },
    { headers },
  )
const lastAsked = () => asked.at(-1)!
const parameters = () =>
  [...lastAsked().settings].filter(([name]) => name.startsWith('param_')).map(([, value]) => value)
const expression = (operation: unknown) => ({ query: { $expr: operation } })
const field = (path: string) => ({ $getField: path })
const literal = (value: unknown) => ({ $literal: value })

test('ClickHouse counts the calls in data files, bounded and without values in its statement', async () => {
  answer = figures(1, 2, 0)
  const where = expression({ $eq: [field('op_name'), literal("a'; DROP \\ \n")] })
  expect((await count(where)).json).toMatchObject({ count: 2, has_more: false })
  const { statement, settings, headers } = lastAsked()
  const source = isInLake ? String.raw`s3\('https://lake\.example\.com/traces` : String.raw`file\('/mnt/traces`
  expect(statement).toMatch(new RegExp(String.raw`FROM ${source}/tables/calls/[\w.-]+\.parquet', `))
  expect(statement).not.toContain('DROP')
  expect(parameters()).toEqual([project.id, "a'; DROP \\\\ \\n"])
  expect([headers.get('x-clickhouse-user'), headers.get('x-clickhouse-key')]).toEqual(['reader', 'pass word'])
  const bounds = { readonly: '2', max_execution_time: '30', cancel_http_readonly_queries_on_client_close: '1' }
  expect(Object.fromEntries(settings)).toMatchObject(bounds)
})

test('a count in ClickHouse respects the limit, too', async () => {
  answer = figures(1, 3, 0)
  expect((await count({ limit: 2 })).json).toMatchObject({ count: 2, has_more: true })
})

test('the cost says which engine counted', async () => {
  answer = figures(1, 3, 0)
  const { headers } = await count({}, { prefer: 'explain' })
  expect(headers.get('server-timing')).toMatch(
    /, engine;dur=[\d.]+;desc="clickhouse", searched;desc="\d+", reason;desc="the request names it"$/,
  )
  const alone = await client.post('/calls/query_stats', { project_id: project.id }, { headers: { prefer: 'explain' } })
  expect(alone.headers.get('server-timing')).not.toContain('engine')
})

test('a count that ClickHouse cannot make with certainty is made by DuckDB', async () => {
  answer = figures(1, 99, 1)
  const { json, headers } = await count({}, { prefer: 'explain' })
  expect(json.count).toBe(3)
  expect(headers.get('server-timing')).toMatch(/, engine;.*desc="duckdb".* reason;desc="the engines might differ/)
})

test.each([
  ['no file', figures(0, 0, 0), 503, 'found 0 of 1 data files'],
  ['a wrong password', failure(403, 516, 'Authentication failed'), 503, 'configured user and password'],
  ['a user that may only read', failure(500, 164, 'readonly'), 503, 'settings of a query'],
  ['a file that is missing', failure(404, 107, 'no file'), 503, 'configured location'],
  ['a folder that it may not read', failure(403, 291, 'not inside'), 503, 'configured location'],
  ['too little time', failure(408, 159, 'Timeout exceeded'), 504, 'timed out in ClickHouse'],
  ['too little memory', failure(500, 241, 'Memory limit'), 502, 'memory'],
  ['a limit of its user', failure(500, 158, 'Limit for rows to read exceeded'), 502, 'exceeds a limit'],
  ['too many queries', failure(500, 202, 'Too many'), 503, 'try again later'],
  ['a version that lacks a function', failure(404, 46, 'Unknown function'), 503, 'the log says why'],
  ['an answer that is not JSON', () => new Response('<html>'), 503, 'an unexpected answer'],
  ['an answer without rows', () => Response.json({ data: [] }), 503, 'an unexpected answer'],
  ['texts for numbers', () => Response.json({ data: [['1', '3', '0']] }), 503, 'an unexpected answer'],
  ['a redirect', () => Response.redirect('http://127.0.0.1:1/'), 503, 'the log says why'],
])('a server with %s is an error, not a number', async (_what, answers, status, words) => {
  answer = answers
  expectRefusal(await count(), status, words)
})

test.each([
  ['a number in JSON', { $gt: [field('inputs.n'), literal(1)] }],
  ['punctuation in JSON', { $contains: { input: field('inputs'), substr: literal('"a",'), case_insensitive: true } }],
  ['a position in a list', { $eq: [field('inputs.0'), literal(12)] }],
  ['feedback', { $eq: [field('feedback.[*].payload.x'), literal('x')] }],
])('a condition on %s is refused before anything is asked', async (_what, operation) => {
  const before = asked.length
  expectRefusal(await count(expression(operation)), 400, 'leave out "engine"')
  expect(asked.length).toBe(before)
})

test('ClickHouse does not compute the storage size of traces', async () => {
  expectRefusal(await count({ include_total_storage_size: true }), 400, 'include_total_storage_size')
})

test('"duckdb" counts without ClickHouse, and an unknown engine is invalid', async () => {
  const before = asked.length
  expect((await count({ engine: 'duckdb' })).json.count).toBe(3)
  expectInvalid(await count({ engine: 'spark' }), ['body', 'engine'])
  expect(asked.length).toBe(before)
})

test('a server without ClickHouse says so', async () => {
  const other = freshProject(await sharedServer())
  const body = { project_id: other.id, engine: 'clickhouse' }
  expectRefusal(await (await sharedServer()).post('/calls/query_stats', body), 400, 'TRACELAKE_CLICKHOUSE_URL')
})

test('the query in ClickHouse ends when the client disconnects', async () => {
  const before = asked.length
  const released = Promise.withResolvers<Response>()
  answer = () => released.promise
  const leave = new AbortController()
  const waiting = fetch(`${client.address}/calls/query_stats`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: basic('api', client.key) },
    body: JSON.stringify({ project_id: project.id, engine: 'clickhouse' }),
    signal: leave.signal,
  }).catch(() => undefined)
  await until(() => asked.length > before)
  leave.abort()
  await waiting
  await until(() => lastAsked().signal.aborted)
  released.resolve(new Response())
})

test('DuckDB counts calls in memory, and ClickHouse leaves out their older rows in files', async () => {
  await project.add({ id: 'd' }, { id: 'e' })
  await project.delete('a')
  // If the server flushes these calls meanwhile, they hide no rows in files.
  const isHidden = () => lastAsked().statement.includes('NOT has({p2:Array(String)}, "id")')
  answer = () => figures(lastAsked().statement.split('FROM')[1]!.split('.parquet').length - 1, isHidden() ? 2 : 4, 0)()
  expect((await count()).json.count).toBe(4)
  expect(parameters()).toEqual(isHidden() ? [project.id, "['a']"] : [project.id])
})

test('a server that is gone is an error', async () => {
  await fake.stop(true)
  expectRefusal(await count(), 503, 'cannot be reached')
})
