import { beforeAll, describe, expect, test } from 'bun:test'
import { createCosts, price } from '../support/costs.ts'
import { equals, is } from '../support/query-expression.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer, sharedServer } from '../support/target.ts'

type Bucket = Record<string, unknown>
interface CallStats {
  granularity: number
  usage_buckets: Bucket[]
  call_buckets: Bucket[]
  histogram?: { metric: string; bounds: number[]; buckets: { timestamp: string; counts: number[] }[] }
}

const server = await sharedServer()
const project = freshProject(server)
const hour = (at: number, minute = 0) => `2024-05-01T${10 + at}:${String(minute).padStart(2, '0')}:00Z`
const range = { start: hour(0), end: hour(2), granularity: 3600 }
const ask = (request: object) =>
  server.post<CallStats>('/calls/stats', { project_id: project.id, ...range, ...request })

async function stats(request: object): Promise<CallStats> {
  const answer = await ask(request)
  expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
  return answer.json
}

const drafts = Array.from({ length: 24 }, (_, index) => {
  const started = Date.parse(hour(index % 2, index))
  const tokens = { prompt_tokens: index, completion_tokens: 1 }
  const usage = index % 6 === 5 ? { m: tokens, n: tokens } : { [index % 2 === 0 ? 'm' : 'n']: tokens }
  return {
    id: `c${index}`,
    op_name: `op${index % 3}`,
    started_at: new Date(started).toISOString(),
    ended_at: index === 3 ? null : new Date(started + 2 ** (index % 12)).toISOString(),
    exception: index % 4 === 0 ? 'failed' : null,
    inputs: index % 5 === 0 ? {} : { v: [1, 'one', true, { deep: 1 }][index % 4], n: index },
    summary: index % 7 === 6 ? {} : { usage },
  }
})

beforeAll(async () => {
  await createCosts(project, { m: price({ effective_date: '2024-01-01' }), n: price({ effective_date: '2024-01-01' }) })
  await project.add(...drafts.slice(0, 12))
  await server.post('/flush', {})
  await project.add(...drafts.slice(12))
})

const countOf = (buckets: readonly Bucket[], wanted: Bucket = {}) =>
  buckets
    .filter((bucket) => Object.entries(wanted).every(([name, value]) => bucket[name] === value))
    .reduce((sum, { count }) => sum + Number(count), 0)

const counted = {
  call_metrics: [{ metric: 'call_count' }, { metric: 'error_count' }, { metric: 'latency_ms', percentiles: [50] }],
}

describe('calls/stats with query and groups', () => {
  test('obeys a query', async () => {
    const query = { $expr: is('inputs.n', '$gt', 10) }
    const { call_buckets } = await stats({ ...counted, query, filter: { op_names: ['op1', 'op2'] } })
    const ids = await project.idsOf({ query, filter: { op_names: ['op1', 'op2'] } })
    expect(countOf(call_buckets)).toBe(ids.length)
    expect(call_buckets).toHaveLength(2)
  })

  test('obeys a query about feedback', async () => {
    const note = {
      project_id: project.id,
      ext_ref: `ext:///${project.id}/call/c2`,
      feedback_type: 'custom',
      payload: { good: 1 },
    }
    expect((await server.post('/feedback/create', note)).status).toBe(200)
    const query = { $expr: is('feedback.[custom].payload.good', '$eq', 1) }
    expect(countOf((await stats({ ...counted, query })).call_buckets)).toBe(1)
    expect(countOf((await stats({ ...counted, query, group_by: 'op_name' })).call_buckets, { group: 'op2' })).toBe(1)
  })

  test.each(['op_name', 'summary.ext.status'])('divides buckets by %s', async (group_by) => {
    const { call_buckets } = await stats({ ...counted, group_by })
    const groups = [...new Set(call_buckets.map(({ group }) => group))]
    expect(call_buckets).toHaveLength(2 * groups.length)
    expect(countOf(call_buckets)).toBe(24)
    for (const group of groups) {
      const ids = await project.idsOf({ query: { $expr: is(group_by, '$eq', group as string) } })
      expect([group, countOf(call_buckets, { group })]).toEqual([group, ids.length])
      const failed = drafts.filter(({ id, exception }) => ids.includes(id) && exception !== null).length
      const errors = call_buckets.filter((bucket) => bucket['group'] === group)
      expect(errors.reduce((sum, bucket) => sum + Number(bucket['sum_error_count']), 0)).toBe(failed)
    }
    const sizes = groups.map((group) => countOf(call_buckets, { group }))
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
  })

  test('divides buckets by values inside JSON, missing ones included', async () => {
    const { call_buckets } = await stats({ ...counted, group_by: 'inputs.v' })
    const expected = new Map<unknown, number>()
    for (const { inputs } of drafts) {
      const value = 'v' in inputs ? inputs.v : null
      const group = typeof value === 'object' && value !== null ? '{"deep":1}' : value
      expected.set(group, (expected.get(group) ?? 0) + 1)
    }
    expect(countOf(call_buckets)).toBe(24)
    for (const [group, count] of expected) expect([group, countOf(call_buckets, { group })]).toEqual([group, count])
  })

  test('adds up the groups beyond the limit', async () => {
    const { call_buckets, usage_buckets } = await stats({
      ...counted,
      usage_metrics: [{ metric: 'input_tokens' }],
      group_by: 'inputs.n',
      group_limit: 2,
    })
    expect(call_buckets).toHaveLength(8)
    expect(countOf(call_buckets, { is_other: true })).toBe(24 - 5 - 2)
    expect(countOf(call_buckets, { group: null, is_other: undefined })).toBe(5)
    expect(usage_buckets.some(({ is_other }) => is_other === true)).toBe(true)
  })

  test.each([undefined, 'op_name', 'inputs.n'])('usage by %s and model adds up', async (group_by) => {
    const metrics = ['input_tokens', 'output_tokens', 'total_cost'].map((metric) => ({ metric }))
    const { usage_buckets } = await stats({ usage_metrics: metrics, group_by, group_limit: 100 })
    for (const model of ['m', 'n']) {
      const calls = drafts.filter(({ summary, ended_at }) => ended_at !== null && model in (summary.usage ?? {}))
      expect(countOf(usage_buckets, { model })).toBe(calls.length)
      if (group_by !== 'op_name') continue
      for (const group of ['op0', 'op1', 'op2']) {
        const ofOp = calls.filter(({ op_name }) => op_name === group)
        const tokens = ofOp.reduce((sum, { inputs: _, id }) => sum + Number(id.slice(1)), 0)
        const buckets = usage_buckets.filter((bucket) => bucket['model'] === model && bucket['group'] === group)
        expect(buckets.reduce((sum, bucket) => sum + Number(bucket['sum_input_tokens']), 0)).toBe(tokens)
      }
    }
  })

  test('groups calls by the model of their usage', async () => {
    const { call_buckets } = await stats({ ...counted, group_by: 'model' })
    expect(new Set(call_buckets.map(({ group }) => group))).toEqual(new Set(['m', 'n', null]))
    expect(countOf(call_buckets)).toBe(24)
  })

  test('refuses what cannot be grouped by', async () => {
    expectRefusal(await ask({ ...counted, group_by: 'nothing' }), 422, 'nothing')
    expectRefusal(await ask({ ...counted, group_by: 'feedback.[*].payload.x' }), 400, 'feedback')
    expectInvalid(await ask({ ...counted, group_by: 'op_name', group_limit: 101 }), ['body', 'group_limit'])
    expect((await ask({ ...counted, query: { $expr: { $nonsense: 1 } } })).status).toBe(422)
  })

  test('the weave dialect groups by its own spelling', async () => {
    const weave = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })
    const theirs = freshProject(weave.client)
    await theirs.complete({ id: 'a', started_at: hour(0) })
    const body = { project_id: theirs.id, ...range, ...counted, group_by: 'summary.weave.status' }
    const { json } = await weave.client.post<CallStats>('/calls/stats', body)
    expect(countOf(json.call_buckets, { group: 'success' })).toBe(1)
  })
})

describe('latency histogram', () => {
  test('counts every call with a latency once', async () => {
    const { histogram } = await stats({ histogram: { metric: 'latency_ms' } })
    const { bounds, buckets } = histogram!
    expect(bounds[0]).toBe(1)
    expect(bounds.at(-1)).toBe(2048)
    expect(bounds).toEqual(bounds.toSorted((a, b) => a - b))
    expect(buckets.map(({ timestamp }) => timestamp)).toEqual([hour(0), hour(1)])
    const expected = bounds.slice(0, -1).map((low, at) => {
      const isLast = at === bounds.length - 2
      const latencies = drafts.flatMap(({ ended_at }, index) => (ended_at === null ? [] : [2 ** (index % 12)]))
      return latencies.filter((ms) => ms >= low && (isLast ? ms <= bounds[at + 1]! : ms < bounds[at + 1]!)).length
    })
    const sums = buckets[0]!.counts.map((_, at) => buckets.reduce((sum, { counts }) => sum + counts[at]!, 0))
    expect(sums).toEqual(expected)
  })

  test('follows the query, and may be empty or a single value', async () => {
    const one = await stats({ histogram: { metric: 'latency_ms', buckets: 5 }, query: { $expr: equals('id', 'c4') } })
    expect(one.histogram).toMatchObject({ bounds: [16, 16], buckets: [{ counts: [1] }, { counts: [0] }] })
    const none = await stats({ histogram: { metric: 'latency_ms' }, query: { $expr: equals('id', 'c3') } })
    expect(none.histogram).toMatchObject({ bounds: [], buckets: [{ counts: [] }, { counts: [] }] })
    expectInvalid(await ask({ histogram: { metric: 'latency_ms', buckets: 101 } }), ['body', 'histogram', 'buckets'])
  })

  test('is absent unless requested', async () => {
    expect(await stats(counted)).not.toHaveProperty('histogram')
  })
})

describe('long ranges', () => {
  const years = { start: '2019-01-01T00:00:00Z', end: '2025-01-01T00:00:00Z' }

  test('are possible in buckets of at least a day', async () => {
    const { granularity, call_buckets } = await stats({ ...counted, ...years, granularity: 86_400 })
    expect(granularity).toBe(86_400)
    expect(call_buckets).toHaveLength(2192)
    expect(countOf(call_buckets)).toBe(24)
    const local = await stats({ ...counted, ...years, granularity: 7 * 86_400, timezone: 'Europe/Berlin' })
    expect(countOf(local.call_buckets)).toBe(24)
  })

  test('are refused otherwise', async () => {
    expectRefusal(await ask({ ...counted, ...years }), 400, 'granularity')
    expectRefusal(await ask({ ...counted, ...years, granularity: null }), 400, '31 days')
  })

  test('feedback scores may be charted over them too', async () => {
    const metrics = [{ json_path: 'good', value_type: 'numeric', aggregations: ['avg'] }]
    const body = {
      project_id: project.id,
      start: '2024-01-01T00:00:00Z',
      granularity: 86_400,
      feedback_type: 'custom',
      metrics,
    }
    const answer = await server.post<{ buckets: Bucket[] }>('/feedback/stats', body)
    expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
    expect(countOf(answer.json.buckets)).toBe(1)
  })
})
