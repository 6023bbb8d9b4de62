import { expect, test } from 'bun:test'
import { exportOf, groupOf, send, spanOf } from '../support/otlp.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const client = await sharedServer()

interface Stats {
  usage_buckets: { group: string; sum_total_cost: number | null }[]
}

const price = { prompt_token_cost: 1, completion_token_cost: 2 }

/** Two users with two model calls each, and a tool. */
async function conversations() {
  const project = freshProject(client)
  const costs = { 'test-model': price }
  expect((await client.post('/cost/create', { project_id: project.id, costs })).status).toBe(200)
  const spans = ['ada', 'ada', 'bob', 'bob'].map((user, index) =>
    spanOf({
      name: 'chat',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.response.model': 'test-model',
        'gen_ai.usage.input_tokens': index + 1,
        'gen_ai.usage.output_tokens': 0,
        'user.id': user,
        'tag.tags': index === 0 ? ['first', 'paid'] : ['paid'],
        metadata: JSON.stringify({ tier: user === 'ada' ? 'gold' : 'free' }),
      },
    }),
  )
  const tool = spanOf({ name: 'weather', attributes: { 'gen_ai.tool.name': 'weather', 'enduser.id': 'bob' } })
  const sent = await send(client, exportOf(groupOf([...spans, tool])), 'json', { headers: { project_id: project.id } })
  expect(sent).toMatchObject({ status: 200, rejected: 0 })
  return project
}

const equals = (field: string, value: string) => ({ $expr: { $eq: [{ $getField: field }, { $literal: value }] } })

test('calls of spans can be filtered by user, tag, metadata and kind', async () => {
  const project = await conversations()
  const count = async (field: string, value: string) => (await project.query({ query: equals(field, value) })).length
  expect(await count('attributes.user_id', 'ada')).toBe(2)
  expect(await count('attributes.user_id', 'bob')).toBe(3)
  expect(await count('attributes.metadata.tier', 'gold')).toBe(2)
  expect(await count('attributes.tags.0', 'first')).toBe(1)
  expect(await count('attributes.kind', 'llm')).toBe(4)
  expect(await count('attributes.kind', 'tool')).toBe(1)
})

test('a kind has one spelling, whichever a client sends', async () => {
  const project = await conversations()
  await project.add(...['LLM', 'Llm', 'llm'].map((kind) => ({ id: kind, attributes: { kind } })))
  const sent = await send(
    client,
    exportOf(groupOf([spanOf({ name: 'summarize', attributes: { 'openinference.span.kind': 'LLM' } })])),
    'json',
    { headers: { project_id: project.id } },
  )
  expect(sent).toMatchObject({ status: 200, rejected: 0 })
  const [span] = (await project.query({})).filter(({ op_name }) => op_name.includes('summarize'))
  expect(span!.attributes['kind']).toBe('llm')
  const counted = await client.post('/calls/values', { project_id: project.id, path: 'attributes.kind' })
  expect(counted.json).toMatchObject({
    values: [
      { value: 'llm', count: 8 },
      { value: 'tool', count: 1 },
    ],
  })
  const count = async (field: string, value: string) => (await project.query({ query: equals(field, value) })).length
  expect(await count('attributes.kind', 'llm')).toBe(8)
  expect(await count('attributes.kind', 'LLM')).toBe(8)
  const part = { $contains: { input: { $getField: 'attributes.kind' }, substr: { $literal: 'LL' } } }
  expect(await project.query({ query: { $expr: part } })).toHaveLength(8)
})

test.each([
  ['attributes.user_id', { ada: 3, bob: 7 }],
  ['attributes.metadata.tier', { gold: 3, free: 7 }],
  ['attributes.kind', { llm: 10 }],
])('costs are grouped by %s', async (groupBy, expected) => {
  const project = await conversations()
  const answer = await client.post<Stats>('/calls/stats', {
    project_id: project.id,
    start: '2024-05-01T00:00:00Z',
    end: '2024-05-02T00:00:00Z',
    granularity: 86_400,
    group_by: groupBy,
    usage_metrics: [{ metric: 'total_cost' }],
  })
  expect(answer.status).toBe(200)
  const { usage_buckets } = answer.json
  const sums: Record<string, number> = {}
  for (const { group, sum_total_cost } of usage_buckets) sums[group] = (sums[group] ?? 0) + (sum_total_cost ?? 0)
  expect(sums).toEqual(expected)
})
