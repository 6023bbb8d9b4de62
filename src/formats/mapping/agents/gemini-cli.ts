import { isSet, numberIn, proseIn, textIn, valueIn } from '../logs/attribute-values.ts'
import type { LogEvent } from '../logs/log-event.ts'
import { type Agent, type AgentFact, attributesOf, countsOf, eventTime, inputsOf, sessionOf } from './agent-fact.ts'

const prefix = 'gemini_cli.'
const details = 'gen_ai.client.inference.operation.details'

const shared = { user_id: 'user.email', session_id: 'session.id', installation_id: 'installation.id' }
const modelAttributes = {
  ...shared,
  model: 'model',
  role: 'role',
  finish_reasons: 'finish_reasons',
  error_type: 'error_type',
}
const toolAttributes = {
  ...shared,
  tool_name: 'function_name',
  tool_type: 'tool_type',
  decision: 'decision',
  error_type: 'error_type',
  mcp_server: 'mcp_server_name',
}

/** Requests by which the client routes, compresses and summarizes. */
const utilityRole = /^utility_/

/** Events of Gemini CLI: https://geminicli.com/docs/cli/telemetry. */
export const geminiCli: Agent = {
  name: 'gemini-cli',
  events: [...['user_prompt', 'api_response', 'api_error', 'tool_call'].map((name) => prefix + name), details],
  scopes: /^gemini-cli$/,
  ops: { turn: 'gemini_cli.turn', model: 'gemini_cli.llm_call', tool: 'gemini_cli.tool_call' },
  hasTurnsByTime: false,
  groupsBy: 'session',
  owns: (event) =>
    event.name?.startsWith(prefix) === true || (event.name === details && event.group.scopeName === 'gemini-cli'),
  factOf(event, nowMicros) {
    const session = sessionOf(event, 'session.id')
    if (session === undefined) return undefined
    const place = {
      session,
      prompt: textIn(event.attributes, 'prompt_id'),
      time: eventTime(event, nowMicros),
      order: 0,
    }
    return factAt(event, place)
  },
}

type Place = Pick<AgentFact, 'session' | 'prompt' | 'time' | 'order'>

function factAt(event: LogEvent, place: Place): AgentFact | undefined {
  const { attributes } = event
  switch (event.name) {
    case `${prefix}user_prompt`:
      if (place.prompt === undefined) return undefined
      return { ...place, kind: 'prompt', text: proseIn(attributes, 'prompt'), attributes: attributesOf(event, shared) }
    case `${prefix}api_response`:
    case `${prefix}api_error`:
      return modelFact(event, place)
    case `${prefix}tool_call`:
      return toolFact(event, place)
    case details:
      return detailsFact(event, place)
    default:
      return undefined
  }
}

/**
 * The response and its details are two events of one moment, with the same end of their bodies: "…
 * from gemini-2.5-pro. Status: 200. Duration: 54ms."
 */
function responseKey({ body }: LogEvent, { time }: Place): string | undefined {
  const tail = typeof body === 'string' ? / from (.*Status: .*)$/s.exec(body)?.[1] : undefined
  return tail === undefined ? undefined : `model ${time} ${tail}`
}

function modelFact(event: LogEvent, place: Place): AgentFact {
  const { attributes } = event
  const model = textIn(attributes, 'model') ?? 'unknown'
  const isError = event.name?.endsWith('api_error') ?? false
  return {
    ...place,
    kind: 'model',
    work: responseKey(event, place) ?? `model ${place.time} ${model} ${textIn(attributes, 'role') ?? ''}`,
    durationMs: numberIn(attributes, 'duration_ms') ?? 0,
    source: undefined,
    name: undefined,
    inputs: undefined,
    output: undefined,
    usage: isError ? undefined : { model, tokens: tokensOf(event) },
    error: isError ? (proseIn(attributes, 'error.message') ?? proseIn(attributes, 'error') ?? 'error') : undefined,
    isReply: !utilityRole.test(textIn(attributes, 'role') ?? ''),
    attributes: { kind: 'llm', provider: 'gcp.gen_ai', ...attributesOf(event, modelAttributes) },
  }
}

/** Thoughts are output that is counted apart, as are prompts of tools. */
function tokensOf(event: LogEvent): Record<string, number> {
  const counts = countsOf(event, {
    input: 'input_token_count',
    output: 'output_token_count',
    cached: 'cached_content_token_count',
    thoughts: 'thoughts_token_count',
    tool: 'tool_token_count',
  })
  const input = (counts['input'] ?? 0) + (counts['tool'] ?? 0)
  const output = (counts['output'] ?? 0) + (counts['thoughts'] ?? 0)
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    gross_input_tokens: input,
    ...(counts['cached'] !== undefined && { cache_read_input_tokens: counts['cached'] }),
    ...(counts['thoughts'] !== undefined && { reasoning_tokens: counts['thoughts'] }),
  }
}

/** Only the details of a response contain input and output. */
function detailsFact(event: LogEvent, place: Place): AgentFact | undefined {
  const { attributes } = event
  const work = responseKey(event, place)
  if (work === undefined) return undefined
  const messages = valueIn(attributes, 'gen_ai.input.messages')
  const system = valueIn(attributes, 'gen_ai.system_instructions')
  const output = valueIn(attributes, 'gen_ai.output.messages')
  const inputs = {
    ...(messages !== undefined && { 'gen_ai.input.messages': messages }),
    ...(system !== undefined && { system }),
  }
  const answer = output === undefined ? undefined : { 'gen_ai.output.messages': output }
  return { ...place, kind: 'content', work, inputs, output: answer }
}

function toolFact(event: LogEvent, place: Place): AgentFact {
  const { attributes } = event
  const name = textIn(attributes, 'function_name')
  return {
    ...place,
    kind: 'tool',
    work: `tool ${place.time} ${name ?? ''} ${numberIn(attributes, 'duration_ms') ?? ''}`,
    durationMs: numberIn(attributes, 'duration_ms') ?? 0,
    source: undefined,
    name,
    inputs: inputsOf(valueIn(attributes, 'function_args')),
    output: valueIn(attributes, 'output') ?? valueIn(attributes, 'metadata'),
    usage: undefined,
    error: isSet(attributes, 'success') ? undefined : (proseIn(attributes, 'error') ?? 'error'),
    isReply: false,
    attributes: { kind: 'tool', ...attributesOf(event, toolAttributes) },
  }
}
