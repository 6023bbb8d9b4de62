import { isSet, numberIn, proseIn, textIn, valueIn } from '../logs/attribute-values.ts'
import type { LogEvent } from '../logs/log-event.ts'
import { type Agent, type AgentFact, attributesOf, countsOf, eventTime, inputsOf, sessionOf } from './agent-fact.ts'

const prefix = 'codex.'

const shared = { user_id: 'user.account_id', session_id: 'conversation.id', originator: 'originator' }
const modelAttributes = {
  ...shared,
  model: 'model',
  time_to_first_chunk: 'ttft_ms',
  error_type: 'http.response.status_code',
}
const toolAttributes = { ...shared, tool_name: 'tool_name', tool_call_id: 'call_id', mcp_server: 'mcp_server' }

const tokens = {
  input_tokens: 'input_token_count',
  output_tokens: 'output_token_count',
  cache_read_input_tokens: 'cached_token_count',
  cache_creation_input_tokens: 'cache_write_token_count',
  reasoning_tokens: 'reasoning_token_count',
}

/**
 * Events of Codex: https://github.com/openai/codex/blob/main/docs/config.md#otel. Nothing in them
 * names the prompt that they belong to.
 */
export const codex: Agent = {
  name: 'codex',
  events: ['user_prompt', 'sse_event', 'websocket_event', 'api_request', 'tool_result'].map((name) => prefix + name),
  scopes: /^codex[_-]/,
  ops: { turn: 'codex.turn', model: 'codex.model_request', tool: 'codex.tool' },
  hasTurnsByTime: true,
  groupsBy: 'session',
  owns: (event) => event.name?.startsWith(prefix) === true && textIn(event.attributes, 'conversation.id') !== undefined,
  factOf(event, nowMicros) {
    const session = sessionOf(event, 'conversation.id')
    if (session === undefined) return undefined
    // The attribute has milliseconds; the record, which is observed at once, has more.
    const place = { session, prompt: undefined, time: event.time ?? eventTime(event, nowMicros), order: 0 }
    return factAt(event, place)
  },
}

type Place = Pick<AgentFact, 'session' | 'prompt' | 'time' | 'order'>

function factAt(event: LogEvent, place: Place): AgentFact | undefined {
  const { attributes } = event
  switch (event.name?.slice(prefix.length)) {
    case 'user_prompt':
      return { ...place, kind: 'prompt', text: proseIn(attributes, 'prompt'), attributes: attributesOf(event, shared) }
    case 'sse_event':
    case 'websocket_event':
      return isCompletion(event) ? modelFact(event, place, undefined) : undefined
    case 'api_request': {
      const error = proseIn(attributes, 'error.message')
      if (error !== undefined) return modelFact(event, place, error)
      const startedAt = place.time - (numberIn(attributes, 'duration_ms') ?? 0) * 1000
      return { ...place, kind: 'beginning', source: undefined, inputs: undefined, startedAt }
    }
    case 'tool_result':
      return toolFact(event, place)
    default:
      return undefined
  }
}

/** Two events end a response; only one of them has tokens. */
const isCompletion = ({ attributes }: LogEvent): boolean =>
  textIn(attributes, 'event.kind') === 'response.completed' && numberIn(attributes, 'input_token_count') !== undefined

function modelFact(event: LogEvent, place: Place, error: string | undefined): AgentFact {
  const model = textIn(event.attributes, 'model') ?? 'unknown'
  const counts = countsOf(event, tokens)
  const total = (counts['input_tokens'] ?? 0) + (counts['output_tokens'] ?? 0)
  return {
    ...place,
    kind: 'model',
    work: `model ${place.time}`,
    durationMs: numberIn(event.attributes, 'duration_ms') ?? 0,
    source: undefined,
    name: undefined,
    inputs: undefined,
    output: undefined,
    // Input tokens include cached ones.
    usage: error === undefined ? { model, tokens: withGross({ ...counts, total_tokens: total }) } : undefined,
    error,
    isReply: error === undefined,
    attributes: { kind: 'llm', provider: 'openai', ...attributesOf(event, modelAttributes) },
  }
}

const withGross = (counts: Record<string, number>): Record<string, number> =>
  counts['input_tokens'] === undefined ? counts : { ...counts, gross_input_tokens: counts['input_tokens'] }

function toolFact(event: LogEvent, place: Place): AgentFact {
  const { attributes } = event
  const output = valueIn(attributes, 'output')
  return {
    ...place,
    kind: 'tool',
    work: `tool ${textIn(attributes, 'call_id') ?? place.time}`,
    durationMs: numberIn(attributes, 'duration_ms') ?? 0,
    source: undefined,
    name: textIn(attributes, 'tool_name'),
    inputs: inputsOf(valueIn(attributes, 'arguments')),
    output,
    usage: undefined,
    error: isSet(attributes, 'success') ? undefined : (proseIn(attributes, 'output') ?? 'error'),
    isReply: false,
    attributes: { kind: 'tool', ...attributesOf(event, toolAttributes) },
  }
}
