import { beforeAll, describe, expect, test } from 'bun:test'
import { createCosts, price } from '../support/costs.ts'
import { is } from '../support/query-expression.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

type Row = Record<string, unknown>
interface CallStats {
  usage_buckets: Row[]
  call_buckets: Row[]
  score_buckets?: Row[]
  usage_totals?: Row[]
  call_totals?: Row[]
  score_totals?: Row[]
}

const server = await sharedServer()
const project = freshProject(server)
const at = (minute: number) => `2024-05-01T1${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}:00Z`
const range = { start: at(0), end: at(180), granularity: 3600 }
const ask = (request: object) =>
  server.post<CallStats>('/calls/stats', { project_id: project.id, ...range, ...request })

async function stats(request: object): Promise<CallStats> {
  const answer = await ask(request)
  expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
  return answer.json
}

/** Latency of each call in milliseconds; nine calls an hour apart by twenty minutes. */
const latencies = [10, 20, 30, 40, 50, 60, 70, 80, 1000]

beforeAll(async () => {
  await createCosts(project, { m: price({ effective_date: '2024-01-01' }), n: price({ effective_date: '2024-01-01' }) })
  const calls = latencies.map((latency, index) => ({
    id: `t${index}`,
    op_name: `op${index % 2}`,
    started_at: at(index * 20),
    ended_at: new Date(Date.parse(at(index * 20)) + latency).toISOString(),
    exception: index === 4 ? 'failed' : null,
    attributes: { env: ['prod', 'test', 'dev'][index % 3] },
    summary: { usage: { [index < 6 ? 'm' : 'n']: { prompt_tokens: index, completion_tokens: 1 } } },
  }))
  await project.add(...calls.slice(0, 5))
  await server.post('/flush', {})
  await project.add(...calls.slice(5))
  const score = async (call: string, feedback_type: string, payload: object) => {
    const feedback = { project_id: project.id, ext_ref: `ext:///${project.id}/call/${call}`, feedback_type, payload }
    expect((await server.post('/feedback/create', feedback)).status).toBe(200)
  }
  await score('t0', 'judge', { output: { solved: true, grade: 4 } })
  await score('t1', 'judge', { output: { solved: false, grade: 2 } })
  await score('t2', 'judge', { output: { solved: true, grade: 'high' } })
  await score('t8', 'judge', { output: { solved: true, grade: 5 } })
  await score('t8', 'person', { output: { solved: false, grade: 1 } })
})

const latency = { metric: 'latency_ms', percentiles: [50, 95], aggregations: ['count', 'avg'] }

describe('totals of calls/stats', () => {
  test('are statistics of the whole range, without a time', async () => {
    const { call_buckets, call_totals, usage_totals } = await stats({
      totals: true,
      call_metrics: [latency, { metric: 'error_count' }],
      usage_metrics: [{ metric: 'input_tokens' }],
    })
    expect(call_buckets).toHaveLength(3)
    // Interpolated between the two nearest latencies: 0.95 × 8 = 7.6, so 80 + 0.6 × 920.
    expect(call_totals).toEqual([
      {
        p50_latency_ms: 50,
        p95_latency_ms: expect.closeTo(632, 6),
        count_latency_ms: 9,
        avg_latency_ms: 1360 / 9,
        sum_error_count: 1,
        count: 9,
      },
    ])
    expect(usage_totals).toEqual([
      { model: 'm', sum_input_tokens: 15, count: 6 },
      { model: 'n', sum_input_tokens: 21, count: 3 },
    ])
  })

  test('have the groups of the buckets', async () => {
    const { call_totals } = await stats({
      totals: true,
      call_metrics: [{ metric: 'call_count' }],
      group_by: 'attributes.env',
      group_limit: 1,
    })
    expect(call_totals).toEqual([
      { group: 'dev', sum_call_count: 3, count: 3 },
      { group: null, is_other: true, sum_call_count: 6, count: 6 },
    ])
  })

  test('are left out unless they are asked for', async () => {
    const { call_totals, score_buckets } = await stats({ call_metrics: [{ metric: 'call_count' }] })
    expect([call_totals, score_buckets]).toEqual([undefined, undefined])
  })
})

describe('score of calls/stats', () => {
  test('counts each feedback at the start of its call', async () => {
    const score = { json_path: 'output.grade', aggregations: ['avg', 'count'], percentiles: [50] }
    const { score_buckets, score_totals, call_buckets } = await stats({ totals: true, score })
    expect(call_buckets).toEqual([])
    expect(score_buckets).toEqual([
      { timestamp: '2024-05-01T10:00:00Z', avg_score: 3, count_score: 2, p50_score: 3, count: 2 },
      { timestamp: '2024-05-01T11:00:00Z', avg_score: 0, count_score: 0, p50_score: null, count: 0 },
      { timestamp: '2024-05-01T12:00:00Z', avg_score: 3, count_score: 2, p50_score: 3, count: 2 },
    ])
    expect(score_totals).toEqual([{ avg_score: 3, count_score: 4, p50_score: 3, count: 4 }])
  })

  test('of one type of feedback, divided by a field of the calls', async () => {
    const score = { json_path: 'output.solved', feedback_type: 'judge', aggregations: ['avg'] }
    const { score_totals } = await stats({ totals: true, score, group_by: 'op_name' })
    expect(score_totals).toEqual([
      { group: 'op0', avg_score: 1, count: 3 },
      { group: 'op1', avg_score: 0, count: 1 },
    ])
  })

  test('obeys the filter of the calls', async () => {
    const score = { json_path: 'output.solved', aggregations: ['count_true', 'count_false'] }
    const query = { $expr: is('attributes.env', '$eq', 'dev') }
    const { score_totals } = await stats({ totals: true, score, query })
    expect(score_totals).toEqual([{ count_true_score: 2, count_false_score: 1, count: 3 }])
  })

  test('is refused with an unreadable path or percentile', async () => {
    expectRefusal(await ask({ score: { json_path: 'a..b' } }), 400, 'json_path')
    expectRefusal(await ask({ score: { json_path: 'a', percentiles: [101] } }), 400, 'Percentiles')
  })
})
