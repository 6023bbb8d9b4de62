import { isJsonObject } from '../../../lib/json-value.ts'
import type { CallMessages } from '../../schemas/messages.ts'
import { parseExactly } from '../../wire/exact-json.ts'
import { messagesOfInputs, messagesOfOutput, systemMessages } from './find-messages.ts'
import { findTools } from './find-tools.ts'
import { limitMessages } from './limit-messages.ts'
import { firstText, objectIn } from './members.ts'
import type { BareMessage } from './one-message.ts'

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
 * Instructions that stand in the attributes. `gen_ai.system` once named the provider, so a single
 * word is none.
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
