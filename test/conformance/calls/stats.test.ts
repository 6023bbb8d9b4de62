import { describe, expect, test } from 'bun:test'
import { createCosts, price } from '../support/costs.ts'
import type { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

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
  test('returns every bucket of the range', async () => {
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

  test('returns usage by model, and costs with their tokens', async () => {
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

  test.each(['UTC', 'America/New_York'])(
    'a call without a value is not counted as an observation: %s',
    async (timezone) => {
      const project = freshProject(server)
      const started_at = range.start
      const usages: Record<string, unknown>[] = [
        { prompt_tokens: 10, total_tokens: 12 },
        { prompt_tokens: 0, completion_tokens: 4 },
        { completion_tokens: 2, prompt_tokens: null },
        { input_tokens: '20', prompt_tokens_details: { cached_tokens: 5 } },
        { prompt_tokens: -1, requests: 1 },
      ]
      await project.add(
        ...usages.map((m, n) => ({
          id: `c${n}`,
          started_at,
          summary: { usage: { m, ...(n === 4 && { other: {} }) } },
        })),
      )
      const aggregations = ['count', 'min', 'avg', 'max', 'sum', 'count_false']
      const metrics = [
        'input_tokens',
        'output_tokens',
        'total_tokens',
        'cache_read_input_tokens',
        'cache_creation_input_tokens',
      ]
      const usage_metrics = metrics.map((metric) => ({ metric, aggregations, percentiles: [50] }))
      const { usage_buckets } = await stats(project, { usage_metrics, timezone })
      const figures = (metric: string) => [...aggregations, 'p50'].map((name) => usage_buckets[0]![`${name}_${metric}`])
      expect(usage_buckets[0]).toMatchObject({ model: 'm', count: 5 })
      expect(metrics.map(figures)).toEqual([
        [3, 0, 10, 20, 30, 1, 10],
        [2, 2, 3, 4, 6, 0, 3],
        // Where no client states a total, it is the sum of input and output.
        [4, 2, 9.5, 20, 38, 0, 8],
        [1, 5, 5, 5, 5, 0, 5],
        [0, null, 0, null, 0, 0, null],
      ])
    },
  )

  test('filters', async () => {
    const project = await projectWithCalls()
    const { call_buckets } = await stats(project, {
      call_metrics: [{ metric: 'call_count' }],
      filter: { call_ids: ['b'] },
    })
    expect(call_buckets.map(({ count }) => count)).toEqual([1, 0, 0])
  })

  test('returns nothing without metrics', async () => {
    const project = await projectWithCalls()
    expect(await stats(project, {})).toMatchObject({ granularity: 0, usage_buckets: [], call_buckets: [] })
  })

  test('rejects invalid ranges, percentiles and metrics', async () => {
    const project = freshProject(server)
    const call_metrics = [{ metric: 'latency_ms', percentiles: [101] }]
    expectRefusal(await ask(project, { call_metrics }), 400, '101')
    expectRefusal(await ask(project, { start: '2024-06-01' }), 400, 'before')
    expectRefusal(await ask(project, { start: '2024-01-01' }), 400, '31')
    expectInvalid(await ask(project, { call_metrics: [{ metric: 'joy' }] }), ['body', 'call_metrics', '0', 'metric'])
  })

  test('ignores impossible token counts', async () => {
    const project = freshProject(server)
    await createCosts(project, { m: price({ prompt_token_cost: 1e300, effective_date: '2024-01-01' }) })
    const usage = { m: { prompt_tokens: 1e308, completion_tokens: 2 ** 53 - 1 } }
    const dear = { m: { prompt_tokens: 1e15, completion_tokens: 1 } }
    const started_at = range.start
    await project.add({ id: 'a', started_at, summary: { usage } }, { id: 'b', started_at, summary: { usage: dear } })
    const usage_metrics = [{ metric: 'output_tokens' }, { metric: 'input_cost' }]
    const { usage_buckets } = await stats(project, { usage_metrics, filter: { call_ids: ['a'] } })
    expect(usage_buckets[0]).toMatchObject({ sum_output_tokens: 2 ** 53 - 1, sum_input_tokens: 0, sum_input_cost: 0 })
    expect((await stats(project, { usage_metrics })).usage_buckets[0]).toMatchObject({ sum_input_cost: null })
  })

  test('limits the number of values in a response', async () => {
    const project = freshProject(server)
    const percentiles = Array.from({ length: 257 }, (_, n) => n / 4)
    expectRefusal(await ask(project, { call_metrics: [{ metric: 'latency_ms', percentiles }] }), 400, '257', '256')
    const usage = Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`m${n}`, { prompt_tokens: 1 }]))
    await project.add({ id: 'a', started_at: '2024-05-01T10:00:00Z', summary: { usage } })
    const fine = { end: '2024-05-01T12:46:40Z', granularity: 1 }
    const usage_metrics = [{ metric: 'input_tokens', aggregations: ['sum', 'avg', 'max'] }]
    expectRefusal(await ask(project, { ...fine, usage_metrics }), 400, '10000 buckets', '17 models', 'granularity')
    expect((await stats(project, { ...fine, usage_metrics, granularity: 60 })).usage_buckets).toHaveLength(167 * 17)
    const call_metrics = [{ metric: 'latency_ms', percentiles: percentiles.slice(0, 60) }]
    expectRefusal(await ask(project, { ...fine, call_metrics }), 400, '60 metrics')
  })

  test.each([
    ['hours', 3600, ['04:00', '05:00', '06:00', '07:00'], [0, 1, 1, 0]],
    [
      'half hours',
      1800,
      ['04:00', '04:30', '05:00', '05:30', '06:00', '06:30', '07:00', '07:30'],
      [0, 0, 0, 1, 0, 1, 0, 0],
    ],
    ['quarters of a day', 21_600, ['04:00'], [2]],
  ])('separates the repeated hour when clocks are set back: %s', async (_kind, granularity, times, counts) => {
    const project = freshProject(server)
    // In New York it is half past one at both times.
    await project.add({ id: 'a', started_at: '2024-11-03T05:30:00Z' }, { id: 'b', started_at: '2024-11-03T06:30:00Z' })
    const night = { start: '2024-11-03T04:00:00Z', end: '2024-11-03T08:00:00Z', timezone: 'America/New_York' }
    const call_metrics = [{ metric: 'call_count' }]
    const { call_buckets } = await stats(project, { ...night, granularity, call_metrics })
    expect(call_buckets.map(({ timestamp }) => timestamp)).toEqual(times.map((time) => `2024-11-03T${time}:00Z`))
    expect(call_buckets.map(({ count }) => count)).toEqual(counts)
  })

  test('accepts time zone names, not offsets', async () => {
    const project = freshProject(server)
    const call_metrics = [{ metric: 'call_count' }]
    for (const timezone of ['+05:30', '-08', '+0530', 'Mars/Base', '']) {
      expectRefusal(await ask(project, { call_metrics, timezone }), 400, 'time zone', `"${timezone}"`)
    }
    for (const timezone of ['Asia/Kolkata', 'Asia/Calcutta', 'us/pacific', 'GB', 'UTC']) {
      expect(await stats(project, { call_metrics, timezone })).toMatchObject({ timezone })
    }
  })

  test('accepts buckets larger than the range', async () => {
    const project = await projectWithCalls()
    const call_metrics = [{ metric: 'call_count' }]
    for (const granularity of [2 ** 31, 2 ** 53]) {
      for (const timezone of ['UTC', 'Europe/Berlin']) {
        const answer = await ask(project, { call_metrics, granularity, timezone })
        expect([granularity, timezone, answer.status]).toEqual([granularity, timezone, 200])
        expect(answer.json.call_buckets.map(({ count }) => count)).toEqual([3])
      }
    }
  })
})
