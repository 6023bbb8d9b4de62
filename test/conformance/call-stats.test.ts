import { describe, expect, test } from 'bun:test'
import { createCosts, price } from './costs.ts'
import type { Project } from './project.ts'
import { expectInvalid, expectRefusal } from './refusals.ts'
import { freshProject, sharedServer } from './target.ts'

const server = await sharedServer()
const range = { start: '2024-05-01T10:00:00Z', end: '2024-05-01T13:00:00Z', granularity: 3600 }

interface CallStats {
  granularity: number
  usage_buckets: Record<string, unknown>[]
  call_buckets: Record<string, unknown>[]
}

const ask = (project: Project, request: Record<string, unknown>) =>
  server.post<CallStats>('/calls/stats', { project_id: project.id, ...range, ...request })

async function stats(project: Project, request: Record<string, unknown>): Promise<CallStats> {
  const answer = await ask(project, request)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json
}

async function projectWithCalls(): Promise<Project> {
  const project = freshProject(server)
  await createCosts(project, { m: price({ effective_date: '2024-01-01' }) })
  const usage = (tokens: number) => ({ summary: { usage: { m: { prompt_tokens: tokens, completion_tokens: 1 } } } })
  await project.add(
    { id: 'a', started_at: '2024-05-01T10:00:00Z', ended_at: '2024-05-01T10:00:01Z', ...usage(10) },
    { id: 'b', started_at: '2024-05-01T10:30:00Z', ended_at: '2024-05-01T10:30:03Z', exception: 'E', ...usage(20) },
    { id: 'c', started_at: '2024-05-01T12:00:00Z', ended_at: null },
    { id: 'late', started_at: '2024-05-01T13:00:00Z', ended_at: '2024-05-01T13:00:01Z', ...usage(1000) },
  )
  return project
}

describe('calls/stats', () => {
  test('gives every bucket of the range', async () => {
    const project = await projectWithCalls()
    const call_metrics = [
      { metric: 'latency_ms', aggregations: ['avg', 'max'], percentiles: [50] },
      { metric: 'call_count' },
      { metric: 'error_count' },
    ]
    const { call_buckets, usage_buckets } = await stats(project, { call_metrics })
    const bucket = (hour: number, figures: unknown[]) => ({
      timestamp: `2024-05-01T${hour}:00:00Z`,
      avg_latency_ms: figures[0],
      max_latency_ms: figures[1],
      p50_latency_ms: figures[2],
      sum_call_count: figures[3],
      sum_error_count: figures[4],
      count: figures[3],
    })
    expect(call_buckets).toEqual([
      bucket(10, [2000, 3000, 2000, 2, 1]),
      bucket(11, [0, null, null, 0, 0]),
      bucket(12, [0, null, null, 1, 0]),
    ])
    expect(usage_buckets).toEqual([])
  })

  test('gives usage by model, costs with the tokens they are for', async () => {
    const project = await projectWithCalls()
    const usage_metrics = [{ metric: 'input_tokens', aggregations: ['max'] }, { metric: 'total_cost' }]
    const { usage_buckets, call_buckets } = await stats(project, { usage_metrics })
    expect(call_buckets).toEqual([])
    expect(usage_buckets).toHaveLength(3)
    expect(usage_buckets[0]).toEqual({
      timestamp: '2024-05-01T10:00:00Z',
      model: 'm',
      max_input_tokens: 20,
      sum_input_tokens: 30,
      sum_output_tokens: 2,
      sum_total_cost: 34,
      count: 2,
    })
    expect(usage_buckets[1]).toMatchObject({ model: 'm', sum_total_cost: 0, max_input_tokens: null, count: 0 })
    const { usage_buckets: none } = await stats(project, { usage_metrics, filter: { call_ids: ['c'] } })
    expect(none).toEqual([])
  })

  test('filters', async () => {
    const project = await projectWithCalls()
    const { call_buckets } = await stats(project, {
      call_metrics: [{ metric: 'call_count' }],
      filter: { call_ids: ['b'] },
    })
    expect(call_buckets.map(({ count }) => count)).toEqual([1, 0, 0])
  })

  test('without metrics says nothing', async () => {
    const project = await projectWithCalls()
    expect(await stats(project, {})).toMatchObject({ granularity: 0, usage_buckets: [], call_buckets: [] })
  })

  test('refuses ranges, percentiles and metrics that cannot be', async () => {
    const project = freshProject(server)
    const call_metrics = [{ metric: 'latency_ms', percentiles: [101] }]
    expectRefusal(await ask(project, { call_metrics }), 400, '101')
    expectRefusal(await ask(project, { start: '2024-06-01' }), 400, 'before')
    expectRefusal(await ask(project, { start: '2024-01-01' }), 400, '31')
    expectInvalid(await ask(project, { call_metrics: [{ metric: 'joy' }] }), ['body', 'call_metrics', '0', 'metric'])
  })
})
