import { expect, test } from 'bun:test'
import { createCosts, price } from '../support/costs.ts'
import { expectRefusal } from '../support/refusals.ts'
import { sharedServer } from '../support/target.ts'
import { travelProject } from './travel-spans.ts'

const client = await sharedServer()

const guide = {
  agent_name: 'guide',
  invocation_count: 2,
  span_count: 2,
  error_count: 0,
  total_input_tokens: 21,
  total_output_tokens: 4,
  total_duration_ms: 20_000,
  first_seen: '2024-05-01T10:00:00Z',
  last_seen: '2024-05-01T10:01:40Z',
}

test('sums up the spans of agents, without usage that an agent repeats', async () => {
  const project = await travelProject(client)
  const { json } = await client.post<object>('/agents/query', { project_id: project.id })
  expect(json).toEqual({ agents: [{ project_id: project.id, ...guide, total_cost_usd: null }], total_count: 1 })
})

test('spans sent to both paths count once', async () => {
  const project = await travelProject(client, '/agents/otel/v1/traces', '/otel/v1/traces', '/agents/otel/v1/traces')
  const { json } = await client.post<object>('/agents/query', { project_id: project.id })
  expect(json).toMatchObject({ agents: [guide], total_count: 1 })
  expect(await project.query()).toHaveLength(6)
})

test('calls that are no spans do not count', async () => {
  const project = await travelProject(client)
  const summary = { usage: { 'test-model': { prompt_tokens: 1000, completion_tokens: 1000 } } }
  await project.add({ id: 'call', op_name: 'guide', attributes: { agent_name: 'guide' }, summary })
  expect((await client.post('/agents/query', { project_id: project.id })).json).toMatchObject({ agents: [guide] })
})

test('tells costs on request', async () => {
  const project = await travelProject(client)
  const cost = { prompt_token_cost: 1, completion_token_cost: 10, effective_date: '2024-01-01' }
  await createCosts(project, { 'test-model': price(cost) })
  const { json } = await client.post('/agents/query', { project_id: project.id, include_costs: true })
  expect(json).toMatchObject({ agents: [{ total_cost_usd: 61 }] })
})

test('tells versions apart, sorted and in pages', async () => {
  const project = await travelProject(client)
  const request = { project_id: project.id, agent_name: 'guide' }
  const ask = async (more: object) =>
    (
      await client.post<{ versions: object[]; total_count: number }>('/agents/agent-versions/query', {
        ...request,
        ...more,
      })
    ).json
  const sort_by = [{ field: 'total_input_tokens', direction: 'asc' }]
  expect(await ask({ sort_by })).toMatchObject({
    versions: [
      { agent_version: '1', total_input_tokens: 10, invocation_count: 1 },
      { agent_version: '2', total_input_tokens: 11, invocation_count: 1 },
    ],
    total_count: 2,
  })
  expect(await ask({ sort_by, limit: 1, offset: 1 })).toMatchObject({
    versions: [{ agent_version: '2' }],
    total_count: 2,
  })
  expect(await ask({ agent_name: 'other' })).toEqual({ versions: [], total_count: 0 })
  const unsortable = { ...request, sort_by: [{ field: 'colour' }] }
  expectRefusal(await client.post('/agents/agent-versions/query', unsortable), 422, 'colour')
})

test('filters agents by name', async () => {
  const project = await travelProject(client)
  const ask = (agent_name: string) => client.post('/agents/query', { project_id: project.id, filters: { agent_name } })
  expect((await ask('guide')).json).toMatchObject({ total_count: 1 })
  expect((await ask('nobody')).json).toEqual({ agents: [], total_count: 0 })
})
