import { isJsonObject } from '../../../lib/json-value.ts'
import type { Message, MessagePart } from '../../schemas/messages.ts'
import { mediaPart } from './media-part.ts'
import { firstText, firstValue, listIn, type Members, objectIn } from './members.ts'
import { partsOf, resultText, toolCallsBeside } from './parts.ts'

/** A message without where it was found. */
export type BareMessage = Omit<Message, 'source'>

/** Roles by the names of all providers. */
const roles: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['function', 'tool'],
  ['developer', 'system'],
  ['humanmessage', 'user'],
  ['humanmessagechunk', 'user'],
  ['aimessage', 'assistant'],
  ['aimessagechunk', 'assistant'],
  ['systemmessage', 'system'],
  ['toolmessage', 'tool'],
  ['functionmessage', 'tool'],
  ['chatmessage', 'user'],
])

/** Types that LangChain's messages have instead of a role. */
const langChainTypes: ReadonlySet<string> = new Set(['human', 'ai', 'system', 'tool', 'function', 'chat'])

/** Items of OpenAI's Responses API that are no messages themselves, with their roles. */
const itemRoles: ReadonlyMap<string, string> = new Map([
  ['reasoning', 'assistant'],
  ['function_call', 'assistant'],
  ['custom_tool_call', 'assistant'],
  ['function_call_output', 'tool'],
  ['custom_tool_call_output', 'tool'],
])

/**
 * One message in the form of any provider; undefined for anything else.
 *
 * @param roleOtherwise role of messages that state none
 */
export function messageOf(value: unknown, roleOtherwise?: string): BareMessage | undefined {
  if (!isJsonObject(value)) return undefined
  const inner = unwrapped(value)
  if (inner !== undefined) return messageOf(inner.message, inner.role ?? roleOtherwise)
  const type = firstText(value, 'type')
  const itemRole = type === undefined ? undefined : itemRoles.get(type)
  if (itemRole !== undefined) return { role: itemRole, name: null, parts: partsOf([value]) }
  const stated = firstText(value, 'role') ?? (type !== undefined && langChainTypes.has(type) ? type : undefined)
  const role = stated ?? roleOtherwise
  if (role === undefined || !holdsMessage(value)) return undefined
  return build(value, canonical(role))
}

/** The messages in a list; undefined unless all of its items are some. */
export function messagesIn(list: readonly unknown[], roleOtherwise?: string): BareMessage[] | undefined {
  if (list.length === 0) return undefined
  const found: BareMessage[] = []
  for (const item of list) {
    const message =
      messageOf(item, roleOtherwise) ??
      // LangChain's batches: a list of conversations.
      (Array.isArray(item) ? messagesIn(item, roleOtherwise) : undefined)
    if (message === undefined) return undefined
    found.push(...(Array.isArray(message) ? message : [message]))
  }
  return found
}

const canonical = (role: string): string => roles.get(role.toLowerCase()) ?? role

const contentNames = [
  'content',
  'parts',
  'contents',
  'tool_calls',
  'toolCalls',
  'function_call',
  'refusal',
  'audio',
  'text',
]
const holdsMessage = (value: Members): boolean => contentNames.some((name) => Object.hasOwn(value, name))

/** Wrappers of messages: LangChain's constructors, `{message: …}`, and its older `{type, data}`. */
function unwrapped(value: Members): { message: unknown; role?: string } | undefined {
  const kwargs = objectIn(value, 'kwargs')
  const id = listIn(value, 'id')
  if (kwargs !== undefined && id !== undefined) {
    const role = roles.get(String(id.at(-1)).toLowerCase())
    return { message: withoutType(kwargs), ...(role !== undefined && { role }) }
  }
  const data = objectIn(value, 'data')
  const type = firstText(value, 'type')
  if (data !== undefined && type !== undefined && langChainTypes.has(type)) return { message: data, role: type }
  // Haystack, before its version 2.12
  const haystackRole = firstText(value, '_role')
  if (haystackRole !== undefined)
    return { message: { role: haystackRole, content: value['_content'], name: value['_name'] } }
  const message = objectIn(value, 'message')
  return message !== undefined && !Object.hasOwn(value, 'content') ? { message } : undefined
}

/** The role comes from the constructor; `type` inside may say "AIMessageChunk". */
function withoutType(kwargs: Members): Members {
  const { type: _, ...others } = kwargs
  return others
}

function build(value: Members, role: string): BareMessage {
  const name = firstText(value, 'name') ?? null
  const content = firstValue(value, 'content', 'parts', 'contents', 'text')
  if (role === 'tool' && !hasToolParts(content)) {
    return { role, name, parts: [resultOf(value, content)] }
  }
  const besides = firstText(value, 'reasoning_content', 'reasoning')
  const parts: MessagePart[] = besides === undefined || besides === '' ? [] : [{ type: 'reasoning', text: besides }]
  parts.push(...partsOf(content))
  const refusal = firstText(value, 'refusal')
  if (refusal !== undefined && refusal !== '') parts.push({ type: 'text', text: refusal })
  const audio = objectIn(value, 'audio')
  const sound = audio && mediaPart(audio, 'audio')
  if (sound !== undefined) parts.push(sound)
  const known = new Set(parts.flatMap((part) => (part.type === 'tool_call' && part.id !== null ? [part.id] : [])))
  parts.push(...toolCallsBeside(value).filter((part) => !('id' in part && part.id !== null && known.has(part.id))))
  const isResult = parts.length > 0 && parts.every(({ type }) => type === 'tool_result')
  return { role: isResult && role === 'user' ? 'tool' : role, name, parts }
}

const resultOf = (value: Members, content: unknown): MessagePart => ({
  type: 'tool_result',
  id: firstText(value, 'tool_call_id', 'toolCallId', 'call_id') ?? null,
  name: firstText(value, 'name') ?? null,
  content: resultText(content),
  is_error: firstText(value, 'status') === 'error',
})

const toolPart = /^tool[-_]|^function|Response$/
const hasToolParts = (content: unknown): boolean =>
  Array.isArray(content) &&
  content.some(
    (part) =>
      isJsonObject(part) &&
      (toolPart.test(firstText(part, 'type') ?? '') ||
        Object.keys(part).some((name) => /^(?:function_?Response|toolResult|tool_call_result)$/i.test(name))),
  )
