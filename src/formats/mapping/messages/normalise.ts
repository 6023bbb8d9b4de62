import { isJsonObject } from '../../../lib/json-value.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import type { CallMessages, Message, MessagePart, MessageTool } from '../../schemas/messages.ts'
import { parseExactly } from '../../wire/exact-json.ts'
import { payloadNames } from '../conventions/payload-names.ts'
import { parseJsonText } from '../spans/attribute-tree.ts'
import { messagesOfInputs, messagesOfOutput, systemMessages } from './find-messages.ts'
import { firstText, firstValue, listIn, objectIn } from './members.ts'
import type { BareMessage } from './one-message.ts'

/** The tools offered to a model, as found in the first of the values that offers any. */
function findTools(...values: readonly unknown[]): MessageTool[] {
  for (const value of values) {
    const tools = toolsIn(value, 3)
    if (tools.length > 0) return tools
  }
  return []
}

const wrappers = ['inputs', 'kwargs', 'request', 'config', 'invocation_params', 'body', 'arg0', 'model_parameters']

function toolsIn(given: unknown, levels: number): MessageTool[] {
  const value = parseJsonText(given)
  if (!isJsonObject(value)) return []
  const list = parseJsonText(firstValue(value, 'tools', 'functions'))
  const own = Array.isArray(list) ? list.flatMap(toolOf) : isJsonObject(list) ? Object.values(list).flatMap(toolOf) : []
  if (own.length > 0 || levels === 0) return own
  for (const name of [...wrappers, ...Object.keys(value).filter((key) => payloadNames.has(key))]) {
    const found = toolsIn(firstValue(value, name), levels - 1)
    if (found.length > 0) return found
  }
  return []
}

function toolOf(given: unknown): MessageTool[] {
  const value = parseJsonText(given)
  if (!isJsonObject(value)) return []
  // Gemini groups them; OpenInference keeps the schema of each in one member.
  const group = listIn(value, 'function_declarations') ?? listIn(value, 'functionDeclarations')
  if (group !== undefined) return group.flatMap(toolOf)
  const schema = parseJsonText(firstValue(value, 'tool', 'json_schema'))
  if (isJsonObject(schema) && firstText(value, 'name') === undefined) return toolOf(schema)
  const inner = objectIn(value, 'function') ?? value
  const name = firstText(inner, 'name') ?? firstText(value, 'type')
  return name === undefined ? [] : [{ name, description: firstText(inner, 'description') ?? null }]
}

interface Limited {
  readonly messages: Message[]
  readonly isTruncated: boolean
}

/** Keeps the first messages and the last ones, and the start of long texts. */
function limitMessages(messages: readonly Message[]): Limited {
  const { messagesMax } = explorationLimits
  const kept =
    messages.length <= messagesMax
      ? messages
      : [
          ...messages.slice(0, Math.floor(messagesMax / 4)),
          ...messages.slice(messages.length - Math.ceil((messagesMax * 3) / 4)),
        ]
  let isTruncated = kept.length < messages.length
  const cut = (text: string): string => {
    if (text.length <= explorationLimits.messageTextCharsMax) return text
    isTruncated = true
    return text.slice(0, explorationLimits.messageTextCharsMax).toWellFormed()
  }
  const limited = kept.map((message) => ({ ...message, parts: message.parts.map((part) => limitPart(part, cut)) }))
  return { messages: limited, isTruncated }
}

function limitPart(part: MessagePart, cut: (text: string) => string): MessagePart {
  switch (part.type) {
    case 'tool_call':
      return { ...part, arguments: cut(part.arguments) }
    case 'tool_result':
      return { ...part, content: cut(part.content) }
    case 'image':
    case 'audio':
    case 'file':
      // Half a picture is none.
      return part.data !== null && cut(part.data) !== part.data ? { ...part, data: null } : part
    default:
      return { ...part, text: cut(part.text) }
  }
}

/** The payload of a call as JSON texts; null for what is missing or too long. */
export interface PayloadTexts {
  readonly inputs: string | null
  readonly output: string | null
  readonly attributes: string | null
  readonly summary: string | null
}

/** The conversation in a payload, in the form of any provider or convention. */
export function normaliseMessages(texts: PayloadTexts): CallMessages {
  const inputs = parsed(texts.inputs)
  const output = parsed(texts.output)
  const attributes = objectOf(parsed(texts.attributes))
  const sent = messagesOfInputs(inputs)
  const answered = withoutRepeated(messagesOfOutput(output, sent.length > 0), sent)
  const all = [
    ...[...instructions(attributes['system'], sent), ...sent].map((message) => ({
      source: 'inputs' as const,
      ...message,
    })),
    ...answered.map((message) => ({ source: 'output' as const, ...message })),
  ]
  const { messages, isTruncated } = limitMessages(all)
  const tools = messages.length === 0 ? [] : findTools(inputs, attributes)
  return {
    messages,
    model: modelOf({ inputs, output, attributes, summary: texts.summary }),
    tools,
    is_truncated: isTruncated,
  }
}

const parsed = (text: string | null): unknown => (text === null ? undefined : parseExactly(text))
const objectOf = (value: unknown): Readonly<Record<string, unknown>> => (isJsonObject(value) ? value : {})

/**
 * Instructions in the attributes. `gen_ai.system` once named the provider, so a single word is no
 * instruction.
 */
function instructions(system: unknown, sent: readonly BareMessage[]): BareMessage[] {
  const isName = typeof system === 'string' && /^[\w.-]*$/.test(system)
  return sent.length === 0 || isName || sent.some(({ role }) => role === 'system') ? [] : systemMessages(system)
}

/** Graphs return the whole conversation; only what is new was answered. */
function withoutRepeated(messages: readonly BareMessage[], sent: readonly BareMessage[]): readonly BareMessage[] {
  const isRepeated =
    sent.length > 0 &&
    messages.length > sent.length &&
    sent.every((message, index) => JSON.stringify(message) === JSON.stringify(messages[index]))
  return isRepeated ? messages.slice(sent.length) : messages
}

function modelOf(payload: {
  inputs: unknown
  output: unknown
  attributes: Readonly<Record<string, unknown>>
  summary: string | null
}): string | null {
  const stated =
    firstText(objectOf(payload.output), 'model', 'modelVersion', 'model_version') ??
    firstText(payload.attributes, 'model') ??
    firstText(objectOf(payload.inputs), 'model')
  if (stated !== undefined) return stated
  const usage = objectIn(objectOf(parsed(payload.summary)), 'usage')
  return (usage && Object.keys(usage)[0]) ?? null
}
