import { isJsonObject } from '../../../lib/json-value.ts'
import { payloadNames } from '../conventions/payload-names.ts'
import { parseJsonText } from '../spans/attribute-tree.ts'
import { firstText, firstValue, listIn, type Members, objectIn } from './members.ts'
import { type BareMessage, messageOf, messagesIn } from './one-message.ts'

/** How many wrappers around messages are looked into. */
const levelsMax = 5

/** Members that wrap a request or response, in the order in which they are looked into. */
const wrappers = [
  'inputs',
  'input',
  'arg0',
  'args',
  'kwargs',
  'request',
  'body',
  'params',
  'response',
  'output',
  'outputs',
  'result',
  'value',
  'data',
]

/** Members that hold a list of messages. */
const lists = ['messages', 'contents', 'new_messages', 'chat_history', 'history', 'replies']

/** The messages that a model was sent, as found in the inputs of a call. */
export function messagesOfInputs(inputs: unknown): BareMessage[] {
  return find(inputs, levelsMax, ofRequest) ?? []
}

/**
 * The messages that came back, as found in the output of a call.
 *
 * @param isAnswer whether the call was sent messages, so that a plain text answers them
 */
export function messagesOfOutput(output: unknown, isAnswer: boolean): BareMessage[] {
  return find(output, levelsMax, ofResponse) ?? (isAnswer ? ofText(output) : [])
}

/** A text, or the only one that an ingested span keeps under the name of its convention. */
function ofText(output: unknown): BareMessage[] {
  const [name, value] = isJsonObject(output) ? (Object.entries(output)[0] ?? []) : []
  const text = name !== undefined && payloadNames.has(name) ? value : output
  if (typeof text !== 'string' || text === '') return []
  return [{ role: 'assistant', name: null, parts: [{ type: 'text', text }] }]
}

type Read = (value: Members) => BareMessage[] | undefined

function find(given: unknown, levels: number, read: Read): BareMessage[] | undefined {
  const value = parseJsonText(given)
  if (Array.isArray(value))
    return messagesIn(value) ?? (value.length === 1 && levels > 0 ? find(value[0], levels - 1, read) : undefined)
  if (!isJsonObject(value)) return undefined
  const own = read(value)
  if (own !== undefined) return own
  if (levels === 0) return undefined
  for (const name of [...Object.keys(value).filter((key) => payloadNames.has(key)), ...wrappers]) {
    const inner = firstValue(value, name)
    const found = inner === undefined ? undefined : (ofEvents(name, inner) ?? find(inner, levels - 1, read))
    if (found !== undefined) return found
  }
  return undefined
}

/** Messages that came as span events of one name, which gives their role. */
function ofEvents(name: string, events: unknown): BareMessage[] | undefined {
  const role = /^events\.gen_ai\.(user|system|assistant|tool)\.message$/.exec(name)?.[1]
  return role === undefined ? undefined : messagesIn(Array.isArray(events) ? events : [events], role)
}

/** A request to a model: system prompts first, then the messages. */
function ofRequest(value: Members): BareMessage[] | undefined {
  const asked = objectIn(value, 'ai.prompt')
  const prompt = asked && firstText(asked, 'prompt')
  const messages = listed(value, 'user') ?? (prompt === undefined ? ofResponsesInput(value) : [userText(prompt)])
  if (messages === undefined) return undefined
  const config = objectIn(value, 'config') ?? objectIn(value, 'generation_config') ?? {}
  const system =
    firstValue(value, 'system', 'instructions', 'system_instruction', 'systemInstruction') ??
    firstValue(config, 'system_instruction', 'systemInstruction')
  return [...systemMessages(system), ...messages]
}

/** Instructions to a model, which are separate from its messages; undefined if there are none. */
export function systemMessages(system: unknown): BareMessage[] {
  const value = parseJsonText(system)
  if (value === undefined || value === null || value === '') return []
  const content = isJsonObject(value) && listIn(value, 'parts') !== undefined ? value['parts'] : value
  const message = messageOf({ role: 'system', content })
  return message === undefined || message.parts.length === 0 ? [] : [{ ...message, name: null }]
}

function listed(value: Members, roleOtherwise?: string): BareMessage[] | undefined {
  for (const name of lists) {
    const held = parseJsonText(firstValue(value, name))
    const list = Array.isArray(held) ? messagesIn(held, roleOtherwise) : undefined
    if (list !== undefined) return list
    // Gemini takes a text or a single content as well.
    if (name === 'contents' && typeof held === 'string') return [userText(held)]
    const single = name === 'contents' ? messageOf(held, 'user') : undefined
    if (single !== undefined) return [single]
    if (name === 'contents' && Array.isArray(held) && held.every((item) => typeof item === 'string'))
      return held.map(userText)
  }
  return undefined
}

/** `input` of OpenAI's Responses API, and `prompt` of completions: only beside a model. */
function ofResponsesInput(value: Members): BareMessage[] | undefined {
  const isRequest = firstText(value, 'model', 'system') !== undefined
  const input = firstValue(value, 'input', 'prompt')
  if (Array.isArray(input)) return messagesIn(input, isRequest ? 'user' : undefined)
  return typeof input === 'string' && isRequest ? [userText(input)] : undefined
}

const userText = (text: string): BareMessage => ({ role: 'user', name: null, parts: [{ type: 'text', text }] })

/** A response of a model. */
function ofResponse(value: Members): BareMessage[] | undefined {
  return (
    ofChoices(listIn(value, 'choices')) ??
    ofCandidates(listIn(value, 'candidates')) ??
    ofGenerations(listIn(value, 'generations')) ??
    ofItems(value) ??
    listed(value, 'assistant') ??
    ofAiSdk(value) ??
    single(messageOf(value)) ??
    // The Agent Development Kit: {"content": {"parts": …}}
    single(hasParts(value['content']) ? messageOf(value['content'], 'assistant') : undefined) ??
    single(messageOf(value['message'])) ??
    // Strands Agents: the content under `message`
    (firstText(value, 'finish_reason') === undefined
      ? undefined
      : single(messageOf({ content: value['message'] }, 'assistant')))
  )
}

const hasParts = (value: unknown): boolean => isJsonObject(value) && listIn(value, 'parts') !== undefined

const single = (message: BareMessage | undefined): BareMessage[] | undefined =>
  message === undefined ? undefined : [message]

/** Chat completions and, with `text`, completions. */
const ofChoices = (choices: readonly unknown[] | undefined): BareMessage[] | undefined =>
  choices &&
  all(choices, (choice) => {
    if (!isJsonObject(choice)) return undefined
    const text = firstText(choice, 'text')
    return messageOf(firstValue(choice, 'message', 'delta') ?? { content: text ?? null }, 'assistant')
  })

const ofCandidates = (candidates: readonly unknown[] | undefined): BareMessage[] | undefined =>
  candidates &&
  all(candidates, (candidate) => (isJsonObject(candidate) ? messageOf(candidate['content'], 'assistant') : undefined))

/** LangChain: a list for each conversation of a batch. */
const ofGenerations = (generations: readonly unknown[] | undefined): BareMessage[] | undefined =>
  generations &&
  all(generations.flat(), (generation) => {
    if (!isJsonObject(generation)) return undefined
    return (
      messageOf(generation['message'], 'assistant') ??
      messageOf({ content: firstText(generation, 'text') }, 'assistant')
    )
  })

/** OpenAI's Responses API: the items of one turn become one message. */
function ofItems(value: Members): BareMessage[] | undefined {
  const items = listIn(value, 'output')
  const messages = items && messagesIn(items, 'assistant')
  if (messages === undefined) return undefined
  const turns: BareMessage[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (last?.role === message.role) turns[turns.length - 1] = { ...last, parts: [...last.parts, ...message.parts] }
    else turns.push(message)
  }
  return turns
}

/** Vercel's AI SDK: text, reasoning and tool calls side by side; an object as JSON text. */
function ofAiSdk(value: Members): BareMessage[] | undefined {
  const names = ['toolCalls', 'finishReason', 'reasoning', 'reasoningText']
  const text = firstText(value, 'text')
  const object = firstValue(value, 'object')
  if (!names.some((name) => Object.hasOwn(value, name)) || (text ?? object ?? value['toolCalls']) === undefined)
    return undefined
  const toolCalls = parseJsonText(value['toolCalls'])
  const thought = firstText(value, 'reasoning', 'reasoningText')
  const content = text ?? (object === undefined ? null : typeof object === 'string' ? object : JSON.stringify(object))
  return single(messageOf({ content, toolCalls, ...(thought !== undefined && { reasoning: thought }) }, 'assistant'))
}

function all(items: readonly unknown[], read: (item: unknown) => BareMessage | undefined): BareMessage[] | undefined {
  const found = items.map(read)
  return found.length > 0 && found.every((message) => message !== undefined) ? found : undefined
}
