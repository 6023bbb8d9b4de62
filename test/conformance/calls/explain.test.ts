import { expect, test } from 'bun:test'
import { freshProject, sharedServer } from '../support/target.ts'

const client = await sharedServer()
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
      ['total', 'wait', 'read', 'files', 'sums'],
    ])
    expect(headers.get('server-timing')).toMatch(/^total;dur=\d+\.\d, wait;.*files;desc="\d+ of \d+", sums;desc="\d+"$/)
  }
})

test('other requests do not', async () => {
  const project = freshProject(client)
  const { headers } = await client.post('/calls/query_stats', { project_id: project.id })
  expect([headers.get('server-timing'), headers.get('preference-applied')]).toEqual([null, null])
})
