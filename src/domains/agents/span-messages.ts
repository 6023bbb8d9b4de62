import { normaliseMessages } from '../../formats/mapping/messages/normalise.ts'
import type { CallMessages, Message, MessagePart } from '../../formats/schemas/messages.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import type { ProjectReader } from '../access/index.ts'
import { membersOf } from './agent-span.ts'
import type { SpanGroup } from './model/agent-spans.ts'
import type { SpanReader, SpanWithPayload } from './span-reader.ts'

/** The conversation in the payload of a span. */
export const messagesOf = ({ payload }: SpanWithPayload): CallMessages => normaliseMessages(payload)

/** The texts of a message; empty if it has none. */
export function textOfMessage({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** Text if a message is nothing else, otherwise its parts as JSON text. */
export const contentOf = (message: Message): string =>
  message.parts.every(({ type }) => type === 'text') ? textOfMessage(message) : JSON.stringify(message.parts)

/** The model's reasoning before the response; null if unknown. */
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
  const [first, ...others] = Object.entries(membersOf(value))
  const inner = first !== undefined && others.length === 0 && first[0].includes('.') ? first[1] : value
  if (inner === null || inner === undefined) return null
  return typeof inner === 'string' ? inner : JSON.stringify(inner)
}

type Preview = SpanGroup['first_message']

/** Groups by conversation with their first and their last message. */
export async function withPreviews(
  spans: SpanReader,
  reader: ProjectReader,
  groups: readonly SpanGroup[],
  signal: AbortSignal,
): Promise<SpanGroup[]> {
  const shown: SpanGroup[] = []
  for (const group of groups) {
    const id = group.group_keys['conversation_id']
    if (typeof id !== 'string') shown.push(group)
    else {
      const read = async (direction: 'asc' | 'desc') => {
        const page = { sort_by: [{ field: 'started_at', direction }], limit: spansRead, offset: 0, isDetailed: true }
        return (await spans.page(reader, { threadIds: [id] }, page, signal)).spans
      }
      const first_message = firstOf(await read('asc'), 'inputs', 'user', 'user_message')
      const last_message = firstOf(await read('desc'), 'output', 'assistant', 'assistant_message')
      shown.push({ ...group, first_message, last_message })
    }
  }
  return shown
}

/** Spans at either end of a conversation in which a message is looked for. */
const spansRead = 5

function firstOf(
  spans: readonly SpanWithPayload[],
  source: 'inputs' | 'output',
  role: string,
  name: 'user_message' | 'assistant_message',
): Preview {
  for (const one of spans) {
    const found = messagesOf(one).messages.filter((message) => message.source === source && message.role === role)
    const text = found.map(textOfMessage).find((each) => each !== '')
    if (text !== undefined) return { role: name, text: text.slice(0, operationLimits.agentMessageChars).toWellFormed() }
  }
  return null
}
