import { expect, test } from 'bun:test'
import { freshProject, ownServer, sharedServer } from '../support/target.ts'
import { until } from '../support/until.ts'

const client = await sharedServer()
const { client: alone } = await ownServer()
const explain = { headers: { prefer: 'explain' } }

const timingOf = (headers: Headers): string[] =>
  (headers.get('server-timing') ?? '').split(', ').map((item) => item.split(';')[0]!)

test('a request that prefers it learns what its answer cost', async () => {
  const project = freshProject(client)
  await project.complete({ id: 'one' })
  const questions = [
    ['/calls/query_stats', {}],
    ['/calls/stats', { start: '2026-01-01T00:00:00Z', granularity: 86_400, call_metrics: [{ metric: 'call_count' }] }],
    ['/calls/stream_query', {}],
    ['/call/read', { id: 'one' }],
  ] as const
  for (const [path, body] of questions) {
    const { status, headers } = await client.post(path, { project_id: project.id, ...body }, explain)
    expect([status, headers.get('preference-applied'), timingOf(headers)]).toEqual([
      200,
      'explain',
      ['total', 'wait', 'read', 'files', 'sums', 'groups', 'bytes'],
    ])
    expect(headers.get('server-timing')).toMatch(/^total;dur=\d+\.\d, wait;.*files;desc="\d+ of \d+", sums;desc="\d+"/)
    expect(headers.get('server-timing')).toMatch(/, groups;desc="(at most )?\d+", bytes;desc="(at most )?\d+"$/)
  }
})

test('it learns how many row groups and bytes were read, at most those of the files if DuckDB read them', async () => {
  const project = freshProject(client)
  const costOf = async (path: string, body: object): Promise<string> => {
    const { headers } = await client.post(path, { project_id: project.id, ...body }, explain)
    const timing = (headers.get('server-timing') ?? '').replace(/^.*(?=files;)/, '').replace(/, sums;desc="\d+"/, '')
    // Where searches are left to ClickHouse, what it read follows.
    return timing.replace(/, engine;.*$/, '')
  }
  await project.complete({ id: 'one', inputs: { text: 'x'.repeat(500) } })
  await client.post('/flush', {})
  // Files of other projects may lie around this one in the order of projects. Where all are in one
  // file, the bounds of two of its row groups may include this project. While other tests write,
  // DuckDB reads the call.
  expect(await costOf('/call/read', { id: 'one' })).toMatch(
    /^files;desc="1 of \d+", groups;desc="(at most )?[1-9]\d*", bytes;desc="(at most )?\d{3,}"$/,
  )
  const query = { $expr: { $contains: { input: { $getField: 'inputs.text' }, substr: { $literal: 'xx' } } } }
  expect(await costOf('/calls/query_stats', { query })).toMatch(
    /^files;desc="\d+ of \d+", groups;desc="at most [1-9]\d*", bytes;desc="at most \d{3,}"$/,
  )
  const unknown = { $expr: { $contains: { input: { $getField: 'op_name' }, substr: { $literal: '/tmp/x.parquet' } } } }
  const [, read, all] = /^files;desc="(\d+) of (\d+)"/.exec(await costOf('/calls/query_stats', { query: unknown }))!
  expect(Number(read)).toBeLessThanOrEqual(Number(all))
})

test('statistics of a time read no data files of other times', async () => {
  const project = freshProject(alone)
  for (const day of ['2026-01-05', '2026-01-06']) {
    await project.complete({ id: day, started_at: `${day}T10:00:00Z`, ended_at: `${day}T10:00:01Z` })
    await alone.post('/flush', {})
  }
  const { json, headers } = await alone.post(
    '/calls/stats',
    {
      project_id: project.id,
      start: '2026-01-06T09:30:00Z',
      end: '2026-01-06T10:30:00Z',
      granularity: 3_600,
      call_metrics: [{ metric: 'call_count' }],
    },
    explain,
  )
  const { call_buckets } = json as { call_buckets: { count: number }[] }
  expect(call_buckets.map(({ count }) => count)).toContain(1)
  expect(headers.get('server-timing')).toContain('files;desc="1 of 2"')
})

test('files that hold sums are no data files that were read', async () => {
  const project = freshProject(alone)
  const times = { started_at: '2026-01-05T10:00:00Z', ended_at: '2026-01-05T10:00:01Z' }
  await project.complete(...Array.from({ length: 1_000 }, (_, index) => ({ id: `c${index}`, ...times })))
  await alone.post('/flush', {})
  const ask = async () => {
    const call_metrics = [{ metric: 'latency_ms', percentiles: [50] }]
    const hours = { start: '2026-01-05T09:00:00Z', end: '2026-01-05T12:00:00Z', granularity: 3_600 }
    const { headers } = await alone.post('/calls/stats', { project_id: project.id, ...hours, call_metrics }, explain)
    return headers.get('server-timing') ?? ''
  }
  // The sums are loaded after the first question.
  await until(async () => (await ask()).includes('sums;desc="1"'))
  expect(await ask()).toEndWith('files;desc="0 of 1", sums;desc="1", groups;desc="0", bytes;desc="0"')
})

test('other requests do not', async () => {
  const project = freshProject(client)
  const { headers } = await client.post('/calls/query_stats', { project_id: project.id })
  expect([headers.get('server-timing'), headers.get('preference-applied')]).toEqual([null, null])
})
