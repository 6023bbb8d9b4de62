import { operationLimits } from '../../lib/limits/operations.ts'
import type { ProjectReader } from '../access/index.ts'
import type { SpanGroup } from './model/agent-spans.ts'
import { messagesOf, textOfMessage } from './span-messages.ts'
import type { SpanReader, SpanWithPayload } from './span-reader.ts'

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
