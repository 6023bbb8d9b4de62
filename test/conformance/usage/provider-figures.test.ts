import { describe, expect, test } from 'bun:test'
import type { Conversation, FrameworkSpan } from '../../otel-conventions/conversations/conversation.ts'
import { frameworkConversations } from '../../otel-conventions/conversations/frameworks.ts'
import { gatewayConversations } from '../../otel-conventions/conversations/gateways.ts'
import { twiceInstrumented } from '../../otel-conventions/conversations/instrumented-twice.ts'
import { Agent } from '../mcp/agent.ts'
import { createCosts, price } from '../support/costs.ts'
import { exportOf, groupOf, send, spanOf } from '../support/otlp.ts'
import type { Project } from '../support/project.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { readTrace } from '../support/traces.ts'

const { client } = await ownServer()

const conversations = { ...frameworkConversations, ...twiceInstrumented, ...gatewayConversations }

const day = { start: '2024-05-01T00:00:00Z', end: '2024-05-02T00:00:00Z', granularity: 86_400 }
const cachedPrice = 0.5

interface Figures {
  readonly input: number
  readonly output: number
  readonly total: number
  readonly cost: number
}

/** What the provider charged for at the prices of the test. */
const chargedFor = ({ provider: { input, output, cached, isCachedApart } }: Conversation): Figures => ({
  input: isCachedApart ? input - cached : input,
  output,
  total: input + output,
  cost: input - cached + cached * cachedPrice + output * 2,
})

const idOf = (letter: string): string => letter.charCodeAt(0).toString(16).padStart(16, '0')

async function pricedProject({ model }: Conversation): Promise<Project> {
  const project = freshProject(client)
  const own = price({ cache_read_input_token_cost: cachedPrice, effective_date: '2024-01-01' })
  await createCosts(project, { [model]: own, usage: own })
  return project
}

const traceOf = (project: Project): string => Bun.hash(project.id).toString(16).padStart(32, '1')

async function sendSpans(project: Project, spans: readonly FrameworkSpan[], more: object = {}): Promise<void> {
  const nanos = (seconds: number): string => `${1_714_557_600n + BigInt(seconds)}000000000`
  const sent = spans.map(({ id, parent, name, start, end, attributes }) =>
    spanOf({
      ...{ traceId: traceOf(project), spanId: idOf(id), name, start: nanos(start), end: nanos(end) },
      attributes: { ...attributes, ...more },
      ...(parent !== undefined && { parentSpanId: idOf(parent) }),
    }),
  )
  const answer = await send(client, exportOf(groupOf(sent)), 'protobuf', { headers: { project_id: project.id } })
  expect(answer).toMatchObject({ status: 200, rejected: 0 })
}

const flush = async () => expect((await client.post('/flush', {})).status).toBe(200)

const byEnd = (spans: readonly FrameworkSpan[]): FrameworkSpan[] => spans.toSorted((a, b) => a.end - b.end)

/** How the spans of a conversation reach the server. */
const arrivals: Readonly<Record<string, (project: Project, spans: readonly FrameworkSpan[]) => Promise<void>>> = {
  'in one export': (project, spans) => sendSpans(project, byEnd(spans)),
  'in an export that threads read': (project, spans) =>
    sendSpans(project, byEnd(spans), { 'app.note': 'x'.repeat(40_000) }),
  'one by one as they end, each into a file': async (project, spans) => {
    for (const span of byEnd(spans)) {
      await sendSpans(project, [span])
      await flush()
    }
  },
  'outer ones first, which are in files when the inner ones come': async (project, spans) => {
    for (const span of spans) {
      await sendSpans(project, [span])
      await flush()
    }
  },
}

async function posted<T>(project: Project, path: string, request: object): Promise<T> {
  const answer = await client.post<T>(path, { project_id: project.id, ...request })
  expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
  return answer.json
}

type Bucket = Record<string, number>
type ByModel = Record<string, Record<string, number>>

async function fromStats(project: Project, request: object = {}): Promise<Figures> {
  const usage_metrics = [{ metric: 'total_cost' }, { metric: 'total_tokens' }]
  const { usage_buckets } = await posted<{ usage_buckets: Bucket[] }>(project, '/calls/stats', {
    ...day,
    usage_metrics,
    ...request,
  })
  const sum = (name: string) => usage_buckets.reduce((total, bucket) => total + (bucket[name] ?? 0), 0)
  return {
    input: sum('sum_input_tokens'),
    output: sum('sum_output_tokens'),
    cost: sum('sum_total_cost'),
    total: sum('sum_total_tokens'),
  }
}

function sumOf(byModel: ByModel): Figures {
  const models = Object.values(byModel)
  const sum = (...names: string[]) =>
    models.reduce((total, model) => total + names.reduce((part, name) => part + (model[name] ?? 0), 0), 0)
  return {
    input: sum('prompt_tokens'),
    output: sum('completion_tokens'),
    total: sum('total_tokens'),
    cost: sum(
      'prompt_tokens_total_cost',
      'completion_tokens_total_cost',
      'cache_read_input_tokens_total_cost',
      'cache_creation_input_tokens_total_cost',
    ),
  }
}

interface CallUsage {
  readonly call_usage: Record<string, ByModel>
}

/** Where figures of a conversation can be read. */
const answers: Readonly<Record<string, (project: Project, charged: Figures) => Promise<unknown>>> = {
  async '/calls/stats'(project, charged) {
    // Whole days are read from the sums beside the files, a part of an hour from the calls.
    expect(await fromStats(project)).toEqual(charged)
    expect(await fromStats(project, { start: '2024-05-01T09:59:00Z', granularity: 3600 })).toMatchObject(charged)
    expect(await fromStats(project, { group_by: 'model' })).toMatchObject(charged)
  },
  async '/calls/usage'(project, charged) {
    const usage = await posted<CallUsage>(project, '/calls/usage', { call_ids: [idOf('a')], include_costs: true })
    expect(sumOf(usage.call_usage[idOf('a')]!)).toEqual(charged)
  },
  async '/trace/usage'(project, charged) {
    const usage = await posted<CallUsage>(project, '/trace/usage', { include_costs: true })
    expect(sumOf(usage.call_usage[idOf('a')]!)).toEqual(charged)
  },
  async '/trace/read'(project, charged) {
    const trace = await readTrace(project, traceOf(project))
    expect([trace.total_tokens[0], trace.total_cost[0]]).toEqual([charged.total, charged.cost])
  },
  async 'fields of the usage of traces'(project, charged) {
    const isSum = (field: string, value: number) => ({ $eq: [{ $getField: field }, { $literal: value }] })
    const terms = [isSum('trace_usage.total_tokens', charged.total), isSum('trace_usage.total_cost', charged.cost)]
    expect(await project.idsOf({ filter: { trace_roots_only: true }, query: { $expr: { $and: terms } } })).toHaveLength(
      1,
    )
  },
  async 'operations about agents'(project, charged) {
    const question = { group_by: [{ key: 'trace_id' }], include_costs: true }
    const { groups } = await posted<{ groups: Record<string, number>[] }>(project, '/agents/spans/query', question)
    expect(groups).toMatchObject([{ total_input_tokens: charged.input, total_output_tokens: charged.output }])
    const metrics = ['input_tokens', 'output_tokens'].map((key) => ({
      ...{ alias: key, value: { key, source: 'field' }, value_type: 'number', aggregations: ['sum'] },
    }))
    const { rows } = await posted<{ rows: Record<string, number>[] }>(project, '/agents/spans/stats', {
      ...day,
      metrics,
    })
    expect(rows).toMatchObject([{ sum_input_tokens: charged.input, sum_output_tokens: charged.output }])
  },
  async MCP(project, charged) {
    const agent = await Agent.connect(client.address, client.key, project.id)
    try {
      const { text } = await agent.call('stats', {})
      expect(text).toMatch(new RegExp(`: \\d+ calls  ${charged.input}\\+${charged.output}( \\(\\d+\\))? tokens`))
      expect(text).toContain(`$${charged.cost}`)
    } finally {
      await agent.close()
    }
  },
}

describe.each(Object.keys(arrivals))('figures equal those of the provider, %s:', (arrival) => {
  test.each(Object.keys(conversations))('%s', async (name) => {
    const conversation = conversations[name]!
    const project = await pricedProject(conversation)
    await arrivals[arrival]!(project, conversation.spans)
    const charged = chargedFor(conversation)
    const wrong: string[] = []
    for (const [place, check] of Object.entries(answers)) {
      await check(project, charged).catch((error: Error) => wrong.push(`${place}: ${error.message}`))
    }
    expect(wrong).toEqual([])
  })
})

describe.each(Object.keys(conversations))('%s:', (name) => {
  test('what every span states stays readable', async () => {
    const conversation = conversations[name]!
    const project = await pricedProject(conversation)
    await sendSpans(project, conversation.spans)
    const stating = conversation.spans.filter(({ attributes }) => Object.keys(attributes).some((key) => isUsage(key)))
    const calls = await project.query({})
    expect(
      calls
        .filter(({ summary }) => 'usage' in summary)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(stating.map(({ id }) => idOf(id)).sort())
  })
})

test('a client that sums up usage on every call above is charged once', async () => {
  const model = 'gpt-4o'
  const conversation: Conversation = { model, provider: { input: 220, output: 34, cached: 0 }, spans: [] }
  const project = await pricedProject(conversation)
  const used = (prompt_tokens: number, completion_tokens: number, requests: number) => ({
    summary: { usage: { [model]: { prompt_tokens, completion_tokens, requests } } },
  })
  const trace_id = traceOf(project)
  const at = (second: number) => `2024-05-01T10:00:0${second}Z`
  await project.add(
    { id: idOf('a'), trace_id, started_at: at(0), ended_at: at(9), ...used(220, 34, 2) },
    { id: 'step', trace_id, parent_id: idOf('a'), started_at: at(1), ended_at: at(8), ...used(220, 34, 2) },
    { id: 'first', trace_id, parent_id: 'step', started_at: at(2), ended_at: at(3), ...used(100, 14, 1) },
    { id: 'second', trace_id, parent_id: 'step', started_at: at(4), ended_at: at(5), ...used(120, 20, 1) },
  )
  const charged = chargedFor(conversation)
  for (const [place, check] of Object.entries(answers)) {
    // These calls are no spans.
    if (place !== 'operations about agents') await check(project, charged)
  }
  const { call_usage } = await posted<CallUsage>(project, '/trace/usage', {})
  expect(
    Object.fromEntries(Object.entries(call_usage).map(([id, models]) => [id, models[model]!['requests']])),
  ).toEqual({ [idOf('a')]: 2, step: 2, first: 1, second: 1 })
  const own = { call_ids: [idOf('a')], with_descendants: false }
  expect(sumOf((await posted<CallUsage>(project, '/calls/usage', own)).call_usage[idOf('a')]!)).toMatchObject({
    input: 220,
    output: 34,
  })
})

test('the usage of an agent counts until something below states some', async () => {
  const conversation = conversations['Strands Agents 1.62']!
  const project = await pricedProject(conversation)
  await sendSpans(project, conversation.spans.slice(0, 2))
  expect(await fromStats(project)).toMatchObject({ input: 220, output: 34 })
  await sendSpans(project, conversation.spans.slice(2))
  expect(await fromStats(project)).toMatchObject({ input: 220, output: 34 })
})

const isUsage = (key: string): boolean => /usage|token_count/i.test(key)
