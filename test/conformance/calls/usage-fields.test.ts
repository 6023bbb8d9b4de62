import { beforeAll, describe, expect, test } from 'bun:test'
import { createCosts } from '../support/costs.ts'
import { is } from '../support/query-expression.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'
import { readTrace } from '../support/traces.ts'

const server = await sharedServer()
const project = freshProject(server)

const used = (model: string, input: number, output: number, more: object = {}) => ({
  [model]: { input_tokens: input, output_tokens: output, ...more },
})

/** Two traces with usage, in a call below the root or in two, and one trace without. */
const calls = [
  { id: 'a', trace_id: 'A', parent_id: null, usage: undefined },
  { id: 'a1', trace_id: 'A', parent_id: 'a', usage: used('cheap-model', 100, 20) },
  { id: 'a2', trace_id: 'A', parent_id: 'a', usage: used('dear-model', 10, 5) },
  { id: 'b', trace_id: 'B', parent_id: null, usage: used('cheap-model', 900, 100, { total_tokens: 1000 }) },
  { id: 'c', trace_id: 'C', parent_id: null, usage: undefined },
  { id: 'd', trace_id: 'D', parent_id: null, usage: { ...used('cheap-model', 1, 1), ...used('unpriced-model', 7, 0) } },
  { id: 'e', trace_id: 'E', parent_id: null, usage: used('unpriced-model', 3, 0) },
] as const

const priceOf = (perToken: number, effective_date: string) => ({
  prompt_token_cost: perToken,
  completion_token_cost: perToken,
  effective_date,
})

beforeAll(async () => {
  await createCosts(project, {
    'cheap-model': priceOf(0.001, '2024-01-01T00:00:00Z'),
    'dear-model': priceOf(0.1, '2024-01-01T00:00:00Z'),
  })
  // The price rises between the calls of trace A and trace B.
  await createCosts(project, { 'cheap-model': priceOf(0.002, '2024-05-01T10:00:12Z') })
  for (const [index, { usage, ...call }] of calls.entries()) {
    const started_at = `2024-05-01T10:00:${10 + index}Z`
    await project.complete({ ...call, started_at, summary: usage === undefined ? {} : { usage } })
    if (index === 3) await server.post('/flush', {})
  }
})

const idsOf = (request: Record<string, unknown>) => project.idsOf(request)
const sorted = (field: string, direction: 'asc' | 'desc', more: object = {}) =>
  idsOf({ sort_by: [{ field, direction }], ...more })
const matching = async (expression: object) => (await idsOf({ query: { $expr: expression } })).toSorted()
const uses = (field: string, model: string) => ({
  $contains: { input: { $getField: field }, substr: { $literal: model } },
})

interface Values {
  values: { value: unknown; count: number }[]
  missing: number
  histogram?: object[]
}
const valuesOf = async (path: string, request: object = {}) =>
  (await server.post<Values>('/calls/values', { project_id: project.id, path, ...request })).json

describe('usage of calls as a field', () => {
  const roots = { filter: { trace_roots_only: true } }

  test('sorts calls by their own tokens, those without any being the smallest', async () => {
    expect(await sorted('usage.total_tokens', 'desc')).toEqual(['b', 'a1', 'a2', 'd', 'e', 'c', 'a'])
    expect(await sorted('usage.total_tokens', 'asc')).toEqual(['c', 'a', 'e', 'd', 'a2', 'a1', 'b'])
  })

  test('sorts traces by the tokens of all their calls', async () => {
    expect(await sorted('trace_usage.total_tokens', 'desc', roots)).toEqual(['b', 'a', 'd', 'e', 'c'])
  })

  test('prices each call as of its start', async () => {
    expect(await sorted('usage.total_cost', 'desc')).toEqual(['b', 'a2', 'a1', 'd', 'e', 'c', 'a'])
    expect(await sorted('trace_usage.total_cost', 'desc', roots)).toEqual(['b', 'a', 'd', 'e', 'c'])
    expect(await matching(is('usage.total_cost', '$eq', 0.12))).toEqual(['a1'])
    expect(await matching(is('usage.total_cost', '$eq', 2))).toEqual(['b'])
    expect(await matching(is('usage.total_cost', '$gt', 0.003))).toEqual(['a1', 'a2', 'b', 'd'])
  })

  test('costs without a price are missing, not zero', async () => {
    const priced = await matching({ $not: [{ $eq: [{ $getField: 'usage.total_cost' }, { $literal: null }] }] })
    expect(priced).toEqual(['a1', 'a2', 'b', 'd'])
  })

  test('filters by tokens of a call and of its trace', async () => {
    expect(await matching(is('usage.total_tokens', '$gte', 120))).toEqual(['a1', 'b'])
    expect(await matching(is('trace_usage.total_tokens', '$eq', 135))).toEqual(['a', 'a1', 'a2'])
  })

  test('filters by model', async () => {
    expect(await matching(uses('usage.models', 'cheap-model'))).toEqual(['a1', 'b', 'd'])
    expect(await matching(uses('trace_usage.models', 'dear-model'))).toEqual(['a', 'a1', 'a2'])
    expect(await matching(uses('usage.models', 'cheap'))).toEqual([])
  })

  test('pages follow an order by usage', async () => {
    const sort_by = [{ field: 'usage.total_tokens', direction: 'desc' }]
    expect(await idsOf({ sort_by, limit: 3, after: [120, 'a1'] })).toEqual(['a2', 'd', 'e'])
    expect(await idsOf({ sort_by, limit: 3, offset: 2 })).toEqual(['a2', 'd', 'e'])
  })

  test('counts calls by model, one for each model that they use', async () => {
    const { values, missing } = await valuesOf('usage.models')
    expect(values).toEqual([
      { value: 'cheap-model', count: 3 },
      { value: 'unpriced-model', count: 2 },
      { value: 'dear-model', count: 1 },
    ])
    expect(missing).toBe(2)
  })

  test('counts calls by ranges of tokens and costs', async () => {
    const tokens = await valuesOf('trace_usage.total_tokens', roots)
    expect(tokens.values).toHaveLength(4)
    expect(tokens).toMatchObject({ missing: 1, histogram: expect.any(Array) })
    expect((await valuesOf('usage.total_cost')).missing).toBe(3)
  })

  test.each(['/calls/query_stats', '/threads/stream_query', '/calls/fields'])('%s accepts it', async (path) => {
    const query = { $expr: is('usage.total_cost', '$gt', 0.003) }
    const answer = await server.post<{ count: number }>(path, { project_id: project.id, query })
    expect(`${answer.status} ${answer.status === 200 ? '' : answer.text}`).toBe('200 ')
    if (path === '/calls/query_stats') expect(answer.json.count).toBe(4)
  })

  test('statistics accept it', async () => {
    const answer = await server.post<{ call_buckets: { sum_call_count: number }[] }>('/calls/stats', {
      project_id: project.id,
      start: '2024-05-01T10:00:00Z',
      end: '2024-05-01T11:00:00Z',
      query: { $expr: uses('usage.models', 'cheap-model') },
      call_metrics: [{ metric: 'call_count' }],
    })
    expect(answer.json.call_buckets.reduce((sum, bucket) => sum + bucket.sum_call_count, 0)).toBe(3)
  })

  test.each(['/calls/search', '/trace/usage'])('%s names it as unknown', async (path) => {
    const query = { $expr: is('usage.total_tokens', '$gt', 1) }
    const answer = await server.post(path, { project_id: project.id, query, text: 'x' })
    expectRefusal(answer, 422, 'usage.total_tokens')
  })
})

test('the usage of calls can be had without that of the calls below them', async () => {
  const request = { project_id: project.id, call_ids: ['a', 'b'] }
  const tokensOf = async (more: object) => {
    type Usage = { call_usage: Record<string, Record<string, { total_tokens: number }>> }
    const { call_usage } = (await server.post<Usage>('/calls/usage', { ...request, ...more })).json
    const sum = (id: string) => Object.values(call_usage[id]!).reduce((total, one) => total + one.total_tokens, 0)
    return [sum('a'), sum('b')]
  }
  expect(await tokensOf({})).toEqual([135, 1000])
  expect(await tokensOf({ with_descendants: false })).toEqual([0, 1000])
})

test('calls are named whose usage is counted in calls below', async () => {
  const own = freshProject(server)
  const used = (tokens: number) => ({ summary: { usage: { 'cheap-model': { prompt_tokens: tokens } } } })
  await own.complete(
    { id: 'agent', trace_id: 'once', ...used(30) },
    { id: 'step', trace_id: 'once', parent_id: 'agent' },
    { id: 'chat', trace_id: 'once', parent_id: 'step', ...used(25) },
    { id: 'idle', trace_id: 'once', parent_id: 'chat', ...used(0) },
  )
  const ids = ['agent', 'step', 'chat', 'idle']
  const request = { project_id: own.id, call_ids: ids }
  const answer = await server.post<{ repeated_call_ids?: string[] }>('/calls/usage', {
    ...request,
    with_descendants: false,
  })
  expect(answer.json.repeated_call_ids).toEqual(['agent'])
  expect((await server.post<object>('/calls/usage', request)).json).not.toHaveProperty('repeated_call_ids')
  const trace = await readTrace(own, 'once')
  expect(trace.call_ids.filter((_, row) => trace.is_usage_repeated[row])).toEqual(['agent'])
})
