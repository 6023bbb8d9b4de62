import { countTokens, statedTokens } from '../../src/lib/count-tokens.ts'
import type { Client } from '../conformance/support/client.ts'
import { Api, type Call, type Members, type Place } from './api.ts'
import { projects } from './fill.ts'

/** What a view must hold, by what the API answers: all rows, of some columns. */
export interface ExpectedView {
  readonly key: readonly string[]
  readonly rows: readonly Members[]
}

/** Columns of JSON texts. */
export const jsonColumns: readonly string[] = [
  'attributes',
  'inputs',
  'output',
  'arguments',
  'result',
  'example',
  'scores',
  'value',
  'summary',
]

/** Asks a server for everything that the views show. */
export async function expectedViews(client: Client): Promise<Record<string, ExpectedView>> {
  const all: Record<string, { key: string[]; rows: Members[] }> = {}
  const add = (view: string, key: string[], rows: readonly Members[], projectId: string) => {
    const known = all[view] ?? { key: ['project_id', ...key], rows: [] }
    all[view] = known
    known.rows.push(...rows.map((row) => ({ project_id: projectId, ...row })))
  }
  for (const projectId of projects) {
    const api = new Api(client, projectId)
    const calls = await api.lines<Call>('/calls/stream_query', { include_costs: true })
    const places = await readPlaces(api, calls)
    add(
      'spans',
      ['call_id'],
      calls.map((call) => spanRow(call, places)),
      projectId,
    )
    add('generations', ['call_id', 'model'], generationRows(calls, places), projectId)
    add('tool_calls', ['call_id'], toolRows(calls, places), projectId)
    add('traces', ['trace_id'], await traceRows(api, calls), projectId)
    add('threads', ['thread_id'], await threadRows(api), projectId)
    add('messages', ['call_id', 'message_index'], await messageRows(api, calls), projectId)
    const evaluations = await api.evaluations(calls, places)
    add('evaluations', ['evaluation_call_id'], evaluations.runs, projectId)
    add('evaluation_rows', ['trial_call_id'], evaluations.trials, projectId)
    add('scores', ['call_id', 'source', 'name'], [...evaluations.scores, ...(await api.feedback())], projectId)
  }
  return all
}

interface Skeleton {
  call_count: number
  started_at: string
  call_ids: string[]
  ops: string[]
  op: number[]
  kinds: string[]
  kind: number[]
  statuses: string[]
  status: number[]
  depth: number[]
  duration_ms: (number | null)[]
  total_tokens: number[]
  total_cost: (number | null)[]
  is_usage_repeated: boolean[]
}

const tracesOf = (calls: readonly Call[]) => [...new Set(calls.map(({ trace_id }) => trace_id))]
const readTrace = (api: Api, traceId: string) => api.ask<Skeleton>('/trace/read', { trace_id: traceId })

async function readPlaces(api: Api, calls: readonly Call[]): Promise<Map<string, Place>> {
  const places = new Map<string, Place>()
  for (const id of tracesOf(calls)) {
    const trace = await readTrace(api, id)
    for (const [index, call] of trace.call_ids.entries())
      places.set(call, {
        kind: trace.kinds[trace.kind[index]!]!,
        op: trace.ops[trace.op[index]!]!,
        isRepeated: trace.is_usage_repeated[index]!,
        tokens: trace.total_tokens[index]!,
        cost: trace.total_cost[index]!,
      })
  }
  return places
}

const spanRow = (call: Call, places: ReadonlyMap<string, Place>) => ({
  call_id: call.id,
  trace_id: call.trace_id,
  parent_id: call.parent_id,
  thread_id: call.thread_id || null,
  op: places.get(call.id)?.op,
  kind: places.get(call.id)?.kind,
  status: call.summary.ext['status'],
  latency_ms: call.summary.ext['latency_ms'] ?? null,
  error: call.exception || null,
  started_at: call.started_at,
  ended_at: call.ended_at,
  provider: call.attributes['provider'] ?? null,
  agent_name: call.attributes['agent_name'] ?? null,
  user_id: call.attributes['user_id'] ?? null,
  first_token_ms:
    typeof call.attributes['time_to_first_chunk'] === 'number' ? call.attributes['time_to_first_chunk'] * 1000 : null,
  inputs: call['inputs'],
  output: call['output'],
})

function generationRows(calls: readonly Call[], places: ReadonlyMap<string, Place>): Members[] {
  return calls.flatMap((call): Members[] => {
    const { usage } = call.summary
    const common = { call_id: call.id, trace_id: call.trace_id, started_at: call.started_at }
    if (usage === undefined || Object.keys(usage).length === 0) {
      const model = call.attributes['model'] ?? null
      const nothing = { input_tokens: null, output_tokens: null, total_tokens: null, requests: null, cost: null }
      return ['llm', 'embedding'].includes(places.get(call.id)?.kind ?? '') ? [{ ...common, model, ...nothing }] : []
    }
    if (places.get(call.id)?.isRepeated) return []
    const costs = (call.summary.ext['costs'] ?? {}) as Record<string, Record<string, number>>
    return Object.entries(usage).map(([model, figures]) => {
      const { prompt, completion, total, cacheRead, requests } = countTokens(figures)
      const stated = statedTokens(figures)
      const cost = costs[model]
      const sum = ['prompt', 'completion', 'cache_read_input', 'cache_creation_input'].reduce(
        (before, name) => before + (cost?.[`${name}_tokens_total_cost`] ?? 0),
        0,
      )
      return {
        ...common,
        model,
        input_tokens: prompt,
        output_tokens: stated.completion ? completion : null,
        total_tokens: total || prompt + completion,
        cache_read_tokens: stated.cacheRead ? cacheRead : null,
        requests: Math.max(1, requests),
        cost: cost === undefined ? null : sum,
      }
    })
  })
}

const toolRows = (calls: readonly Call[], places: ReadonlyMap<string, Place>) =>
  calls
    .filter(({ id }) => places.get(id)?.kind === 'tool')
    .map((call) => ({
      call_id: call.id,
      tool: call.attributes['tool_name'] ?? call.display_name ?? places.get(call.id)?.op,
      tool_call_id: call.attributes['tool_call_id'] ?? null,
      arguments: call['inputs'],
      result: call['output'],
      error: call.exception || null,
    }))

async function traceRows(api: Api, calls: readonly Call[]): Promise<Members[]> {
  const rows: Members[] = []
  for (const id of tracesOf(calls)) {
    const trace = await readTrace(api, id)
    rows.push({
      trace_id: id,
      root_call_id: trace.call_ids[0],
      op: trace.ops[trace.op[0]!],
      kind: trace.kinds[trace.kind[0]!],
      status: trace.statuses[trace.status[0]!],
      started_at: trace.started_at,
      calls: trace.call_count,
      failed_calls: trace.status.filter((status) => trace.statuses[status] === 'error').length,
      running_calls: trace.duration_ms.filter((duration) => duration === null).length,
      total_tokens: trace.total_tokens[0] || null,
      cost: trace.total_cost[0],
    })
  }
  return rows
}

async function threadRows(api: Api): Promise<Members[]> {
  const threads = await api.lines<Members>('/threads/stream_query', { include_details: true, limit: 1000 })
  return threads.map((thread) => ({
    thread_id: thread['thread_id'],
    turn_count: thread['turn_count'],
    start_time: thread['start_time'],
    last_updated: thread['last_updated'],
    first_turn_id: thread['first_turn_id'],
    last_turn_id: thread['last_turn_id'],
    p50_turn_duration_ms: thread['p50_turn_duration_ms'],
    p99_turn_duration_ms: thread['p99_turn_duration_ms'],
    failed_calls: thread['error_count'],
    total_tokens: thread['total_tokens'] || null,
    cost: thread['total_cost'],
  }))
}

interface Message {
  source: string
  role: string
  parts: { type: string; text?: string; id?: string }[]
}

async function messageRows(api: Api, calls: readonly Call[]): Promise<Members[]> {
  const rows: Members[] = []
  for (const { id } of calls) {
    const { messages } = await api.ask<{ messages: Message[] }>('/call/messages', { call_id: id })
    for (const [index, { source, role, parts }] of messages.entries()) {
      const texts = parts.filter(({ type }) => type === 'text').map(({ text }) => text)
      const result = parts.find(({ type }) => type === 'tool_result')
      rows.push({
        call_id: id,
        message_index: index,
        source,
        role,
        ...(result === undefined && { text: texts.join('') || null }),
        ...(result !== undefined && { tool_call_id: result.id }),
      })
    }
  }
  return rows
}
