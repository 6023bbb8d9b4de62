import type { Message, MessagePart } from '../call/messages/messages.ts'
import { type Prompt, promptOf } from '../prompt/prompt.ts'
import { chatRequest, isMembers, type Members, translatedRequest } from './carried-request.ts'

/** A call as the playground reads it. */
export interface SourceCall {
  readonly inputs: Members
  /** Settings and tools that the attributes of a span name. */
  readonly attributes?: Members | undefined
  /** Its messages in one form, whatever the provider's. */
  readonly messages: readonly Message[]
  readonly model: string | null
  /** Stored pictures as data URIs, by digest. */
  readonly images?: ReadonlyMap<string, string>
}

/** Columns of calls that `carriedFrom` needs. */
export const carriedColumns = [
  'inputs',
  ...['model_parameters', 'tools', 'output_type'].map((name) => `attributes.${name}`),
]

/** What a column takes from a call, and the names of what it cannot take. */
export interface CarriedCall {
  readonly prompt: Prompt
  readonly notCarried: readonly string[]
}

/**
 * The messages, tools and settings of a call, unchanged as far as the playground can send them. See
 * docs/decisions/245-calls-in-the-playground.md.
 */
export function carriedFrom({ inputs, attributes = {}, messages, model, images = new Map() }: SourceCall): CarriedCall {
  const own = inputs['messages']
  const isChat = Array.isArray(own) && own.every(isChatMessage) && inputs['system'] === undefined
  const asked = messages.filter(({ source }) => source === 'inputs')
  const { model_parameters: parameters, tools: named, output_type } = attributes
  const ofSpan = translatedRequest({ ...(isMembers(parameters) ? parameters : {}), tools: named, output_type }, true)
  const request = isChat ? chatRequest(inputs) : translatedRequest(inputs, asked.length > 0)
  const settings = new Map([...ofSpan.settings, ...request.settings])
  const tools = request.tools.length > 0 ? request.tools : ofSpan.tools
  const notCarried = new Set([...ofSpan.notCarried, ...request.notCarried])
  const { schema } = request
  const sent = isChat ? own : chatMessages(asked, { images, notCarried })
  const prompt = promptOf({
    messages: sent,
    template_format: 'mustache',
    model: textIn(inputs['model']) || (isMembers(parameters) ? textIn(parameters['model']) : '') || (model ?? ''),
    settings: Object.fromEntries([...settings].map(([name, value]) => [name, settingText(value)])),
    ...(tools.length > 0 && { tools }),
    ...(schema !== undefined && { response_schema: schema }),
  })
  return { prompt, notCarried: [...notCarried] }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A setting that is text is quoted where it would be read as something else. */
const settingText = (value: unknown): unknown =>
  typeof value === 'string' && /^$|^\s|\s$|^(?:-?\d|[[{"]|true$|false$)/.test(value) ? JSON.stringify(value) : value

const isChatMessage = (message: unknown): boolean =>
  isMembers(message) &&
  typeof message['role'] === 'string' &&
  (typeof message['content'] === 'string' ||
    message['content'] === null ||
    message['content'] === undefined ||
    (Array.isArray(message['content']) && message['content'].every(isChatPart)))

/** Blocks of other providers have the same shape, and other types. */
const chatParts: ReadonlySet<unknown> = new Set(['text', 'image_url', 'input_audio', 'file', 'refusal'])
const isChatPart = (part: unknown): boolean =>
  isMembers(part) && chatParts.has(part['type']) && (part['type'] !== 'image_url' || hasAddress(part['image_url']))

/** A stored picture is a record of its file, or a ref to it, in place of an address. */
const hasAddress = (image: unknown): boolean =>
  isMembers(image) && typeof image['url'] === 'string' && /^(?:https?|data):/i.test(image['url'])

/** Messages of any provider in the form of chat completions. Stored pictures are left out. */
export const chatOf = (messages: readonly Message[]): readonly Members[] =>
  chatMessages(messages, { images: new Map(), notCarried: new Set() }).map((message) => ({ ...message }))

interface Carrying {
  readonly images: ReadonlyMap<string, string>
  readonly notCarried: Set<string>
}

interface ChatCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** A message of chat completions. */
interface ChatMessage {
  readonly role: string
  readonly content: unknown
  readonly tool_calls?: readonly ChatCall[]
  readonly tool_call_id?: string
}

/**
 * Messages of any provider as messages of chat completions: each result of a tool is one, and the
 * calls that a model makes at once are in one. Calls without ids, as Gemini's, get some.
 */
function chatMessages(messages: readonly Message[], carrying: Carrying): readonly ChatMessage[] {
  const chat: ChatMessage[] = []
  const open: { readonly id: string; readonly name: string }[] = []
  let calls = 0
  const answered = (id: string | null, name: string | null): string => {
    const at = open.findIndex((call) => (id === null ? name === null || call.name === name : call.id === id))
    const [call] = at < 0 ? [] : open.splice(at, 1)
    return id ?? call?.id ?? ''
  }
  for (const { role, parts } of messages) {
    for (const part of parts) {
      if (part.type !== 'tool_result') continue
      if (part.is_error) carrying.notCarried.add('is_error')
      chat.push({ role: 'tool', content: part.content, tool_call_id: answered(part.id, part.name) })
    }
    const toolCalls = parts.flatMap((part): ChatCall[] => {
      if (part.type !== 'tool_call') return []
      const id = part.id ?? `call_${++calls}`
      open.push({ id, name: part.name })
      return [{ id, type: 'function', function: { name: part.name, arguments: part.arguments } }]
    })
    const contents = parts.flatMap((part) => contentPart(part, carrying))
    if (contents.length === 0 && toolCalls.length === 0) continue
    const isText = contents.every(({ type }) => type === 'text')
    const content = contents.length === 0 ? null : isText ? contents.map(({ text }) => text).join('\n') : contents
    const said = { role: roleOf(role), content, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) }
    const before = chat.at(-1)
    if (before?.role === 'assistant' && said.role === 'assistant' && content === null)
      chat[chat.length - 1] = { ...before, tool_calls: [...(before.tool_calls ?? []), ...toolCalls] }
    else chat.push(said)
  }
  return chat
}

const roleOf = (role: string): string => ({ human: 'user', model: 'assistant', developer: 'system' })[role] ?? role

function contentPart(
  part: MessagePart,
  { images, notCarried }: Carrying,
): { readonly type: string; readonly text?: string; readonly image_url?: { readonly url: string } }[] {
  switch (part.type) {
    case 'text':
    case 'json':
      return [{ type: 'text', text: part.text }]
    case 'image': {
      const stored = part.digest === null ? undefined : images.get(part.digest)
      const url = stored ?? (part.data !== null ? dataUri(part.data, part.media_type) : part.url)
      if (url !== null) return [{ type: 'image_url', image_url: { url } }]
      notCarried.add('image')
      return []
    }
    case 'tool_call':
    case 'tool_result':
      return []
    default:
      notCarried.add(part.type)
      return []
  }
}

const dataUri = (data: string, type: string | null): string =>
  data.startsWith('data:') ? data : `data:${type ?? 'image/png'};base64,${data}`
