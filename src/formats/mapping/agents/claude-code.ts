import { isJsonObject } from '../../../lib/json-value.ts'
import { isSet, numberIn, proseIn, textIn, valueIn } from '../logs/attribute-values.ts'
import type { LogEvent } from '../logs/log-event.ts'
import { type Agent, type AgentFact, attributesOf, countsOf, eventTime, inputsOf, sessionOf } from './agent-fact.ts'

const scope = 'com.anthropic.claude_code.events'
const prefix = 'claude_code.'

const shared = { user_id: 'user.id', session_id: 'session.id', query_source: 'query_source' }

const modelAttributes = {
  ...shared,
  model: 'model',
  request_id: 'request_id',
  speed: 'speed',
  effort: 'effort',
  error_type: 'status_code',
  attempt: 'attempt',
}

const toolAttributes = {
  ...shared,
  tool_name: 'tool_name',
  tool_call_id: 'tool_use_id',
  error_type: 'error_type',
  decision: 'decision_type',
  decision_source: 'decision_source',
  result_bytes: 'tool_result_size_bytes',
}

const tokens = {
  input_tokens: 'input_tokens',
  output_tokens: 'output_tokens',
  cache_read_input_tokens: 'cache_read_tokens',
  cache_creation_input_tokens: 'cache_creation_tokens',
}

/**
 * Events of Claude Code: https://code.claude.com/docs/en/monitoring-usage#events. Texts are only
 * sent if the user says so.
 */
export const claudeCode: Agent = {
  name: 'claude-code',
  events: [
    'user_prompt',
    'api_request',
    'api_error',
    'assistant_response',
    'api_response_body',
    'api_request_body',
    'tool_result',
  ].map((name) => prefix + name),
  scopes: /^com\.anthropic\.claude_code\./,
  ops: { turn: 'claude_code.interaction', model: 'claude_code.llm_request', tool: 'claude_code.tool' },
  hasTurnsByTime: false,
  groupsBy: 'prompt',
  owns: (event) => event.group.scopeName === scope || (event.name?.startsWith(prefix) ?? false),
  factOf(event, nowMicros) {
    const session = sessionOf(event, 'session.id')
    if (session === undefined) return undefined
    const place = {
      session,
      prompt: textIn(event.attributes, 'prompt.id'),
      time: eventTime(event, nowMicros),
      order: numberIn(event.attributes, 'event.sequence') ?? 0,
    }
    return factAt(event, place)
  },
}

type Place = Pick<AgentFact, 'session' | 'prompt' | 'time' | 'order'>

function factAt(event: LogEvent, place: Place): AgentFact | undefined {
  const { attributes } = event
  switch (event.name?.slice(prefix.length)) {
    case 'user_prompt':
      if (place.prompt === undefined) return undefined
      return { ...place, kind: 'prompt', text: promptText(event), attributes: attributesOf(event, shared) }
    case 'api_request':
    case 'api_error':
      return modelFact(event, place)
    case 'assistant_response':
      return contentFact(event, place, replyOf(proseIn(attributes, 'response')))
    case 'api_response_body':
      return contentFact(event, place, valueIn(attributes, 'body'))
    case 'api_request_body':
      return {
        ...place,
        kind: 'beginning',
        source: textIn(attributes, 'query_source'),
        inputs: inputsOf(valueIn(attributes, 'body')),
        startedAt: undefined,
      }
    case 'tool_result':
      return toolFact(event, place)
    default:
      return undefined
  }
}

/** Without the text, `prompt` holds only `prompt.id`. */
function promptText({ attributes }: LogEvent): string | undefined {
  const value = attributes['prompt']
  if (!isJsonObject(value)) return proseIn(attributes, 'prompt')
  const { id: _, ...others } = value
  return Object.keys(others).length === 0 ? undefined : JSON.stringify(others)
}

function modelFact(event: LogEvent, place: Place): AgentFact {
  const { attributes } = event
  const model = textIn(attributes, 'model') ?? 'unknown'
  const cost = numberIn(attributes, 'cost_usd')
  const isError = event.name?.endsWith('api_error') ?? false
  const counts = countsOf(event, tokens)
  // Input tokens exclude cached ones.
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const stated = cost !== undefined && cost >= 0 ? { stated_cost: cost } : {}
  return {
    ...place,
    kind: 'model',
    work: workOf(event, place),
    durationMs: numberIn(attributes, 'duration_ms') ?? 0,
    source: textIn(attributes, 'query_source'),
    name: undefined,
    inputs: undefined,
    output: undefined,
    usage: isError ? undefined : { model, tokens: { ...counts, total_tokens: total, ...stated } },
    error: isError ? (proseIn(attributes, 'error') ?? 'error') : undefined,
    isReply: isReply(event),
    attributes: { kind: 'llm', provider: 'anthropic', ...attributesOf(event, modelAttributes) },
  }
}

function toolFact(event: LogEvent, place: Place): AgentFact {
  const { attributes } = event
  const hasFailed = !isSet(attributes, 'success')
  return {
    ...place,
    kind: 'tool',
    work: textIn(attributes, 'tool_use_id') ?? `tool ${place.order} ${place.time}`,
    durationMs: numberIn(attributes, 'duration_ms') ?? 0,
    source: undefined,
    name: textIn(attributes, 'tool_name'),
    inputs: inputsOf(valueIn(attributes, 'tool_input') ?? valueIn(attributes, 'tool_parameters')),
    output: valueIn(attributes, 'tool_output') ?? valueIn(attributes, 'output'),
    usage: undefined,
    error: hasFailed ? (proseIn(attributes, 'error') ?? textIn(attributes, 'error_type') ?? 'error') : undefined,
    isReply: false,
    attributes: { kind: 'tool', ...attributesOf(event, toolAttributes) },
  }
}

const contentFact = (event: LogEvent, place: Place, output: unknown): AgentFact => ({
  ...place,
  kind: 'content',
  work: workOf(event, place),
  inputs: undefined,
  output,
})

/** A failed request may have no id, and a request that is tried again has the same. */
function workOf(event: LogEvent, { order, time }: Place): string {
  const id = textIn(event.attributes, 'request_id')
  const attempt = event.name?.endsWith('api_error') ? ` failed ${numberIn(event.attributes, 'attempt') ?? order}` : ''
  return id === undefined ? `model ${order} ${time}` : `${id}${attempt}`
}

const replyOf = (text: string | undefined) => (text === undefined ? undefined : { role: 'assistant', content: text })

/** Main conversation, of the terminal or of the SDK; the others are subagents and utilities. */
function isReply({ attributes }: LogEvent): boolean {
  const source = textIn(attributes, 'query_source')
  return source === undefined || source === 'sdk' || source.startsWith('repl_main_thread')
}
