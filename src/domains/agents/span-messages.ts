import { normaliseMessages } from '../../formats/mapping/messages/normalise.ts'
import type { CallMessages, Message, MessagePart } from '../../formats/schemas/messages.ts'
import { membersOf } from './agent-span.ts'
import type { SpanWithPayload } from './span-reader.ts'

/** The conversation in the payload of a span. */
export const messagesOf = ({ payload }: SpanWithPayload): CallMessages => normaliseMessages(payload)

/** The texts of a message; empty if it has none. */
export function textOfMessage({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** Text if a message is nothing else, otherwise its parts as JSON text. */
export const contentOf = (message: Message): string =>
  message.parts.every(({ type }) => type === 'text') ? textOfMessage(message) : JSON.stringify(message.parts)

/** What a model thought before it answered; null if nothing is known. */
export function reasoningIn(parts: readonly MessagePart[]): string | null {
  const texts = parts.flatMap((part) => (part.type === 'reasoning' && part.text !== '' ? [part.text] : []))
  return texts.length === 0 ? null : texts.join('\n')
}

/** Arguments and result of a tool, as text. */
export function toolPayload({ payload }: SpanWithPayload): { arguments: string | null; result: string | null } {
  return { arguments: plain(payload.inputs, '{}'), result: plain(payload.output) }
}

/** A payload of a span, which has one member named after its attribute, as text. */
function plain(text: string | null, empty?: string): string | null {
  if (text === null || text === empty) return null
  const value: unknown = JSON.parse(text)
  const members = Object.entries(membersOf(value))
  const inner = members.length === 1 && members[0]![0].includes('.') ? members[0]![1] : value
  if (inner === null || inner === undefined) return null
  return typeof inner === 'string' ? inner : JSON.stringify(inner)
}
