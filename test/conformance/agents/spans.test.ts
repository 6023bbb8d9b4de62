import { describe, expect, test } from 'bun:test'
import { expectRefusal } from '../support/refusals.ts'
import { ownServer, sharedServer } from '../support/target.ts'
import { traceIds, travelProject } from './travel-spans.ts'

const client = await sharedServer()
const project = await travelProject(client)
const { client: vendor } = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })

interface Answer {
  spans: Record<string, unknown>[]
  groups: Record<string, unknown>[]
  total_count: number
}

const query = async (request: object): Promise<Answer> => {
  const answer = await client.post<Answer>('/agents/spans/query', { project_id: project.id, ...request })
  expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
  return answer.json
}
const equals = (field: string, value: unknown) => ({ $expr: { $eq: [{ $getField: field }, { $literal: value }] } })
const oldestFirst = { sort_by: [{ field: 'started_at', direction: 'asc' }] }

describe('spans', () => {
  test('have the fields of their conventions, newest first', async () => {
    const { spans, total_count } = await query({})
    expect(total_count).toBe(6)
    expect(spans.map(({ span_name }) => span_name).slice(0, 2)).toEqual(['execute_tool height', 'chat test-model'])
    expect(spans[0]).toMatchObject({
      project_id: project.id,
      trace_id: traceIds[1],
      operation_name: 'execute_tool',
      tool_name: 'height',
      status_code: 'ERROR',
      status_message: 'no signal',
      tool_call_arguments: null,
      raw_span_dump: null,
    })
    expect(spans[1]).toMatchObject({
      span_kind: 'CLIENT',
      started_at: '2024-05-01T10:01:41Z',
      ended_at: '2024-05-01T10:01:43Z',
      provider_name: 'stub',
      request_model: 'test-model',
      request_temperature: 0.5,
      conversation_id: 'talk',
      input_tokens: 11,
      output_tokens: 2,
      custom_attrs_string: { 'app.tier': 'free' },
      custom_attrs_int: { 'app.tries': 2 },
      input_messages: [],
    })
  })

  test('have messages and payloads on request', async () => {
    const { spans } = await query({ ...oldestFirst, include_details: true })
    expect(spans[1]).toMatchObject({
      input_messages: [{ role: 'user', content: 'How tall is the tower?', finish_reason: '' }],
      output_messages: [{ role: 'assistant', content: '330 metres', finish_reason: '' }],
    })
    expect(spans[2]).toMatchObject({ tool_call_arguments: '{"of":"tower"}', tool_call_result: '{"metres":330}' })
    expect(JSON.parse(String(spans[2]!['raw_span_dump']))).toMatchObject({ name: 'execute_tool height' })
    expect(spans[0]).toMatchObject({ system_instructions: ['Be brief'] })
  })

  test.each([
    ['agent_name', 'guide', 2],
    ['gen_ai.agent.name', 'guide', 2],
    ['agent.name', 'guide', 2],
    ['conversation_id', 'talk', 6],
    ['request_model', 'test-model', 4],
    ['status_code', 'ERROR', 1],
    ['app.tier', 'gold', 1],
    ['custom_attrs_int.app.tries', 2, 1],
    ['gen_ai.usage.input_tokens', 11, 2],
    ['agent_name', 'nobody', 0],
  ])('can be found by %s = %p', async (field, value, count) => {
    expect((await query({ query: equals(field, value) })).total_count).toBe(count)
  })

  test('can be bounded in time and read in pages', async () => {
    const bounds = { started_after: '2024-05-01T10:00:01Z', started_before: '2024-05-01T10:01:40Z' }
    expect(await query({ ...bounds, limit: 1 })).toMatchObject({
      spans: [{ span_name: 'execute_tool height' }],
      total_count: 2,
    })
    expect((await query({ ...oldestFirst, limit: 2, offset: 5 })).spans).toHaveLength(1)
  })

  test.each(['inputs.a', 'output.choices', 'attributes.app.tries', 'summary.usage'])(
    'can be sorted by %s',
    async (field) => {
      for (const direction of ['asc', 'desc']) {
        const { spans, total_count } = await query({
          sort_by: [{ field, direction }, { field: 'started_at' }],
          limit: 4,
        })
        expect([spans.length, total_count]).toEqual([4, 6])
      }
    },
  )

  test('can be grouped, with measures', async () => {
    const { groups, spans, total_count } = await query({
      group_by: [{ key: 'operation.name' }],
      measures: [
        { alias: 'spans', aggregation: 'count' },
        { alias: 'longest', aggregation: 'max', value: { source: 'derived', key: 'duration_ms' } },
        { alias: 'failed', aggregation: 'count_true', value: { source: 'derived', key: 'is_error' } },
      ],
    })
    expect(spans).toEqual([])
    expect(total_count).toBe(3)
    const group = (name: string) =>
      groups.find(({ group_keys }) => (group_keys as Record<string, unknown>)['operation_name'] === name)
    expect(group('execute_tool')).toMatchObject({
      span_count: 2,
      error_count: 1,
      total_input_tokens: 0,
      metrics: { spans: 2, longest: 1000, failed: 1 },
    })
    expect(group('chat')).toMatchObject({ total_input_tokens: 21, provider_names: ['stub'], total_cost_usd: null })
    // Its model calls tell these tokens already.
    expect(group('invoke_agent')).toMatchObject({ total_input_tokens: 0, agent_names: ['guide'], invocation_count: 2 })
  })

  test('grouped by conversation show the first and the last message', async () => {
    const { groups } = await query({ group_by: [{ key: 'conversation_id' }] })
    expect(groups).toMatchObject([
      {
        group_keys: { conversation_id: 'talk' },
        span_count: 6,
        conversation_count: 1,
        conversation_names: ['Towers'],
        agent_versions: ['1', '2'],
        total_input_tokens: 21,
        first_message: { role: 'user_message', text: 'How tall is the tower?' },
        last_message: { role: 'assistant_message', text: '48 metres' },
      },
    ])
  })

  test('can be grouped by an attribute', async () => {
    const { groups } = await query({ group_by: [{ source: 'custom_attrs_string', key: 'app.tier', alias: 'tier' }] })
    expect(groups.map(({ group_keys }) => group_keys)).toContainEqual({ tier: 'gold' })
  })

  test.each([
    [{ group_by: [{ key: 'colour' }] }, 422],
    [
      { group_by: [{ key: 'agent_name' }], measures: [{ alias: 'm', aggregation: 'sum', value: { key: 'colour' } }] },
      422,
    ],
  ])('refuses %j', async (request, status) => {
    expectRefusal(await client.post('/agents/spans/query', { project_id: project.id, ...request }), status)
  })
})

test('statistics of spans by time and group', async () => {
  const { json } = await client.post<{ columns: { name: string; role: string }[]; rows: object[] }>(
    '/agents/spans/stats',
    {
      project_id: project.id,
      start: '2024-05-01T10:00:00Z',
      end: '2024-05-01T10:02:00Z',
      granularity: 60,
      group_by: [{ key: 'operation_name' }],
      query: equals('operation_name', 'chat'),
      metrics: [
        { alias: 'tokens', value_type: 'number', value: { source: 'derived', key: 'total_tokens' } },
        { alias: 'ms', value_type: 'number', value: { source: 'derived', key: 'duration_ms' }, percentiles: [50] },
        { alias: 'tier', value_type: 'string', value: { source: 'custom_attrs_string', key: 'app.tier' } },
      ],
    },
  )
  expect(json).toMatchObject({ granularity: 60, bucket_type: 'time', timezone: 'UTC' })
  expect(json.columns.map(({ name, role }) => `${role} ${name}`)).toEqual([
    'time timestamp',
    'group operation_name',
    'metric sum_tokens',
    'metric p50_ms',
    'metric count_tier',
  ])
  const row = { operation_name: 'chat', p50_ms: 2000, count_tier: 1 }
  expect(json.rows).toEqual([
    { timestamp: '2024-05-01T10:00:00Z', ...row, sum_tokens: 12 },
    { timestamp: '2024-05-01T10:01:00Z', ...row, sum_tokens: 13 },
  ])
})

test('attributes of spans that are no fields', async () => {
  const ask = async (more: object) =>
    (await client.post('/agents/spans/custom-attrs/schema', { project_id: project.id, ...more })).json
  const tier = { key: 'app.tier', source: 'custom_attrs_string', value_type: 'string', span_count: 2 }
  const tries = { key: 'app.tries', source: 'custom_attrs_int', value_type: 'int', span_count: 2 }
  expect(await ask({})).toEqual({ attributes: [tier, tries], limit: 100, offset: 0, has_more: false })
  expect(await ask({ limit: 1 })).toMatchObject({ attributes: [tier], has_more: true })
})

test('spans in the vendor’s names', async () => {
  const { id } = await travelProject(vendor)
  const answer = await vendor.post<Answer>('/agents/spans/query', {
    project_id: id,
    query: equals('wb_user_id', 'nobody'),
  })
  expect(answer.json).toEqual({ spans: [], groups: [], total_count: 0 })
  const all = await vendor.post<Answer>('/agents/spans/query', { project_id: id })
  expect(all.json.spans[0]).toHaveProperty('wb_user_id')
  expect(all.json.spans[0]).not.toHaveProperty('ext_user_id')
})
