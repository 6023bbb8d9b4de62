import type { Message, MessagePart } from '../call/messages/messages.ts'
import { type Prompt, promptOf } from '../prompt/prompt.ts'

type Members = Readonly<Record<string, unknown>>

/** A call as the playground reads it. */
export interface SourceCall {
  readonly inputs: Members
  /** Its messages in one form, whatever the provider's. */
  readonly messages: readonly Message[]
  readonly model: string | null
  /** Stored pictures as data URIs, by digest. */
  readonly images?: ReadonlyMap<string, string>
}

/** What a column takes from a call, and the names of what it cannot take. */
export interface CarriedCall {
  readonly prompt: Prompt
  readonly notCarried: readonly string[]
}

/** Inputs that say how a request is sent, and not what the model gets. */
const transport: ReadonlySet<string> = new Set(['stream', 'stream_options', 'timeout', 'self', 'template_vars'])
/** Inputs that are secrets or belong to another provider's client. */
const refused: ReadonlySet<string> = new Set([
  'api_key',
  'extra_headers',
  'extra_body',
  'extra_query',
  'vertex_credentials',
])
/** Inputs with a place of their own. */
const placed: ReadonlySet<string> = new Set(['model', 'messages', 'system', 'tools', 'response_format', 'prompt'])

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The messages, tools and settings of a call, unchanged as far as the playground can send them. */
export function carriedFrom({ inputs, messages, model, images = new Map() }: SourceCall): CarriedCall {
  const notCarried = new Set<string>()
  const own = inputs['messages']
  const isChat = Array.isArray(own) && own.every(isChatMessage) && inputs['system'] === undefined
  const sent = isChat
    ? own
    : messages.filter(({ source }) => source === 'inputs').flatMap((each) => chatMessages(each, { images, notCarried }))
  const settings = Object.entries(inputs).filter(([name, value]) => {
    if (placed.has(name) || transport.has(name) || value === null || value === undefined) return false
    if (refused.has(name) || (!isChat && !isPlain(value))) {
      notCarried.add(name)
      return false
    }
    return true
  })
  const format = inputs['response_format']
  const schema = isMembers(format) && isMembers(format['json_schema']) ? format['json_schema']['schema'] : undefined
  const prompt = promptOf({
    messages: sent,
    template_format: 'mustache',
    model: typeof inputs['model'] === 'string' ? inputs['model'] : (model ?? ''),
    settings: {
      ...Object.fromEntries(settings),
      ...(format !== undefined && format !== null && schema === undefined && { response_format: format }),
    },
    ...(Array.isArray(inputs['tools']) && { tools: inputs['tools'].map((tool) => functionTool(tool, notCarried)) }),
    ...(schema !== undefined && { response_schema: schema }),
  })
  return { prompt, notCarried: [...notCarried] }
}

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

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** A tool in the form of chat completions: other providers name its schema differently. */
function functionTool(tool: unknown, notCarried: Set<string>): unknown {
  if (!isMembers(tool) || tool['function'] !== undefined) return tool
  const { name, description, input_schema: schema, parameters = schema } = tool
  if (typeof name !== 'string' || parameters === undefined) {
    notCarried.add(`tools.${typeof name === 'string' ? name : String(tool['type'])}`)
    return tool
  }
  return { type: 'function', function: { name, ...(description !== undefined && { description }), parameters } }
}

/** Messages of any provider in the form of chat completions. Stored pictures are left out. */
export const chatOf = (messages: readonly Message[]): readonly Readonly<Record<string, unknown>>[] =>
  messages.flatMap((each) => chatMessages(each, { images: new Map(), notCarried: new Set() }))

interface Carrying {
  readonly images: ReadonlyMap<string, string>
  readonly notCarried: Set<string>
}

/** A message of any provider as messages of chat completions: each result of a tool is one. */
function chatMessages({ role, parts }: Message, carrying: Carrying): Members[] {
  const results = parts.flatMap((part) =>
    part.type === 'tool_result' ? [{ role: 'tool', tool_call_id: part.id ?? '', content: part.content }] : [],
  )
  const calls = parts.flatMap((part) =>
    part.type === 'tool_call'
      ? [{ id: part.id ?? part.name, type: 'function', function: { name: part.name, arguments: part.arguments } }]
      : [],
  )
  const contents = parts.flatMap((part) => contentPart(part, carrying))
  const isText = contents.every(({ type }) => type === 'text')
  const content = isText ? contents.map(({ text }) => text).join('\n') : contents
  const said =
    contents.length > 0 || calls.length > 0
      ? [
          {
            role: roleOf(role),
            content: contents.length === 0 ? null : content,
            ...(calls.length > 0 && { tool_calls: calls }),
          },
        ]
      : []
  return [...results, ...said]
}

const roleOf = (role: string): string => ({ human: 'user', model: 'assistant', developer: 'system' })[role] ?? role

function contentPart(
  part: MessagePart,
  { images, notCarried }: Carrying,
): { readonly type: string; readonly text?: string }[] {
  switch (part.type) {
    case 'text':
    case 'json':
      return [{ type: 'text', text: part.text }]
    case 'image': {
      const stored = part.digest === null ? undefined : images.get(part.digest)
      const url = stored ?? (part.data !== null ? dataUri(part.data, part.media_type) : part.url)
      if (url !== null) return [{ type: 'image_url', image_url: { url } } as { type: string }]
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
