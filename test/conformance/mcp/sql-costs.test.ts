import { afterAll, expect, test } from 'bun:test'
import { runCommand } from '../../cli/command.ts'
import { placeOf } from '../support/lake-place.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { Agent } from './agent.ts'

const server = await ownServer()
const [project, other] = [freshProject(server.client), freshProject(server.client)]
const at = (day: number) => `2024-05-0${day}T10:00:00Z`

/**
 * Calls before and after a price of the project begins, with cached tokens, several models and a
 * stated cost.
 */
const usages: readonly (readonly [id: string, day: number, usage: Record<string, unknown>])[] = [
  ['built-in', 1, { 'gpt-4o': { prompt_tokens: 1000, completion_tokens: 100, requests: 1 } }],
  ['own-before', 1, { house: { input_tokens: 10, output_tokens: 1 } }],
  ['own-after', 3, { house: { input_tokens: 10, output_tokens: 1 } }],
  [
    'cached',
    3,
    { 'gpt-4o': { prompt_tokens: 2000, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 1500 } } },
  ],
  ['written', 3, { 'claude-sonnet-4-5': { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 3000 } }],
  ['two-models', 3, { 'gpt-4o': { prompt_tokens: 10 }, house: { output_tokens: 7 } }],
  ['stated', 3, { 'no-such-model': { input_tokens: 5, stated_cost: 0.25 } }],
  ['unpriced', 3, { 'no-such-model': { input_tokens: 5 } }],
]
const calls = usages.map(([id, day, usage]) => ({
  ...{ id, trace_id: 't', op_name: 'chat', started_at: at(day), ended_at: at(day), summary: { usage } },
}))
const plain = { id: 'plain', trace_id: 't', op_name: 'step', started_at: at(3), ended_at: at(3) }

const price = (project_id: string, prompt: number, effective: string) =>
  server.client.post('/cost/create', {
    project_id,
    costs: { house: { prompt_token_cost: prompt, completion_token_cost: 1, effective_date: effective } },
  })
await price(project.id, 0.5, at(1).replace('10:', '00:'))
await price(project.id, 0.25, at(2))
await price(other.id, 7, at(1))

// Some in files, some in memory, one changed after its row was written to a file.
await project.add(...calls.slice(0, 4))
await other.add(calls[2]!)
await server.client.post('/flush', {})
await project.add(...calls.slice(4), plain)
await server.client.post('/call/update', { project_id: project.id, call_id: 'cached', display_name: 'renamed' })

const agent = await Agent.connect(server.client.address, server.adminKey, project.id)
afterAll(() => agent.close())

const sql = async (statement: string): Promise<Record<string, unknown>[]> => {
  const { out, err } = await runCommand('sql', statement, '--format', 'jsonl', ...placeOf(server.data))
  expect(err).toBe('')
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** The total of `summary.ext.costs` of each call, as `include_costs` returns it. */
async function answered(): Promise<Record<string, number | null>> {
  const { json } = await server.client.post<{ calls: { id: string; summary: Summary }[] }>('/calls/query', {
    ...{ project_id: project.id, include_costs: true, sort_by: [{ field: 'id', direction: 'asc' }] },
  })
  return Object.fromEntries(json.calls.map(({ id, summary }) => [id, totalOf(summary)]))
}

interface Summary {
  readonly ext?: { readonly costs?: Record<string, Record<string, unknown>> }
}

function totalOf({ ext }: Summary): number | null {
  if (ext?.costs === undefined) return null
  const totals = Object.values(ext.costs).flatMap((entry) =>
    Object.entries(entry).flatMap(([name, value]) => (name.endsWith('_total_cost') ? [Number(value)] : [])),
  )
  return Number(totals.reduce((sum, one) => sum + one, 0).toFixed(12))
}

test('each call has the cost that include_costs returns', async () => {
  const costs = await answered()
  expect(costs).toMatchObject({ 'own-before': 6, 'own-after': 3.5, stated: 0.25, unpriced: null, plain: null })
  const rows = await sql(`SELECT id, cost FROM calls WHERE project_id = '${project.id}' ORDER BY id`)
  expect(Object.fromEntries(rows.map(({ id, cost }) => [id, cost]))).toEqual(costs)
  const [theirs] = await sql(`SELECT cost FROM calls WHERE project_id = '${other.id}'`)
  expect(theirs).toEqual({ cost: 71 })
  const { text } = await agent.call('run_sql', { statement: 'SELECT id, cost FROM calls ORDER BY id' })
  expect(text.split('\n').slice(1, -1)).toEqual(
    Object.entries(costs).map(([id, cost]) => `${id} | ${cost === null ? 'NULL' : cost}`),
  )
}, 120_000)

test('sums by model are those of the statistics', async () => {
  const { json } = await server.client.post<{ usage_buckets: Record<string, number | string>[] }>('/calls/stats', {
    ...{ project_id: project.id, start: at(1).replace('10:', '00:'), end: at(9), granularity: 31 * 86_400 },
    usage_metrics: [{ metric: 'total_cost' }, { metric: 'input_tokens' }],
  })
  const expected = Map.groupBy(json.usage_buckets, ({ model }) => model as string)
  const statement =
    'SELECT model, sum(cost) AS cost, sum(input_tokens) AS input FROM usage ' +
    `WHERE project_id = '${project.id}' GROUP BY ALL ORDER BY model`
  const rows = await sql(statement)
  expect(rows.map(({ model }) => model)).toEqual(['claude-sonnet-4-5', 'gpt-4o', 'house', 'no-such-model'])
  for (const { model, cost, input } of rows) {
    const buckets = expected.get(model as string)!
    const sum = (name: string) => buckets.reduce((total, bucket) => total + Number(bucket[name] ?? 0), 0)
    expect(cost as number).toBeCloseTo(sum('sum_total_cost'), 10)
    expect(Number(input ?? 0)).toBe(sum('sum_input_tokens'))
  }
  // One statement: each starts a process of its own and has half a minute, also on a busy machine.
  const both = 'SELECT sum(cost) AS calls, (SELECT sum(cost) FROM usage) AS of_usage FROM calls'
  const { text } = await agent.call('run_sql', {
    statement: `SELECT calls > 0 AND round(calls - of_usage, 9) = 0 FROM (${both})`,
  })
  expect(text.split('\n')[1]).toBe('true')
}, 120_000)

test('usage that a call repeats of the calls below it counts once in the view, and stays readable', async () => {
  const nested = freshProject(server.client)
  const usage = { 'gpt-4o': { prompt_tokens: 1000, completion_tokens: 100 } }
  const at = { started_at: '2024-05-01T10:00:00Z', ended_at: '2024-05-01T10:00:01Z' }
  await nested.add(
    { id: 'agent', trace_id: 't', op_name: 'agent', ...at, summary: { usage } },
    { id: 'step', trace_id: 't', parent_id: 'agent', op_name: 'step', ...at },
  )
  await server.client.post('/flush', {})
  await nested.add({ id: 'model', trace_id: 't', parent_id: 'step', op_name: 'chat', ...at, summary: { usage } })
  const where = `WHERE project_id = '${nested.id}'`
  const counted = `SELECT call_id, input_tokens, cost FROM usage ${where}`
  expect(await sql(counted)).toEqual([{ call_id: 'model', input_tokens: 1000, cost: 0.0035 }])
  expect(await sql(`SELECT id, cost FROM calls ${where} ORDER BY id`)).toEqual([
    { id: 'agent', cost: 0.0035 },
    { id: 'model', cost: 0.0035 },
    { id: 'step', cost: null },
  ])
  await server.client.post('/flush', {})
  expect(await sql(counted)).toHaveLength(1)
}, 120_000)

test('what is computed is described', async () => {
  const { text } = await agent.call('describe_schema', { table: 'calls' })
  expect(text).toContain("- cost DOUBLE: cost of the call's own usage in US dollars")
  expect((await agent.call('describe_schema', { table: 'usage' })).text).toContain('- model VARCHAR: ')
  expect((await agent.call('describe_schema')).text).toContain(', usage. Every table')
  const { out } = await runCommand('sql', '--help')
  expect(out).toContain('calls.cost is the cost of a call')
}, 120_000)
