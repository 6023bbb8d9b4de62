import type { Message } from '../../formats/schemas/messages.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { formatTime } from '../../lib/time.ts'
import { digestOfBytes } from '../../runtime/digest.ts'
import { type AgentSpan, textOf } from './agent-span.ts'
import type { AgentSearchAnswer, AgentSearchRequest } from './model/agent-chats.ts'
import { messagesOf, textOfMessage } from './span-messages.ts'
import type { SpanWithPayload } from './span-reader.ts'

type Result = AgentSearchAnswer['results'][number]

/** Conversations with messages that contain a text. @param read spans, newest first */
export function searchMessages(read: readonly SpanWithPayload[], request: AgentSearchRequest): AgentSearchAnswer {
  const found = new Map<string, Result>()
  const known = new Set<string>()
  for (const one of read) {
    const { span } = one
    for (const { role, text } of messagesOf(one).messages.flatMap(textsOf)) {
      if (!isWanted(role, text, request)) continue
      const id = span.conversationId ?? ''
      const digest = digestOfBytes(text)
      // Later requests of a conversation repeat its messages.
      if (known.has(`${id}\n${digest}`)) continue
      known.add(`${id}\n${digest}`)
      const result = found.get(id) ?? newResult(id, span)
      found.set(id, result)
      result.matched_messages.push({
        span_id: span.id,
        trace_id: span.traceId,
        role,
        content_preview: request.truncate_content === false ? text : preview(text, request.query ?? ''),
        content_digest: digest,
        started_at: formatTime(span.startedAt),
      })
    }
  }
  const from = request.offset ?? 0
  const results = [...found.values()]
  return {
    results: results.slice(from, from + (request.limit ?? operationLimits.agentsListedDefault)),
    total_conversations: results.length,
  }
}

function isWanted(role: string, text: string, { query, roles }: AgentSearchRequest): boolean {
  if (roles != null && roles.length > 0 && !roles.some((one) => one === role)) return false
  return text !== '' && text.toLowerCase().includes((query ?? '').toLowerCase())
}

/** The texts of a message with who said them; tool calls and results have roles of their own. */
function textsOf(message: Message): { role: string; text: string }[] {
  const tools = message.parts.flatMap((part) => {
    if (part.type === 'tool_call') return [{ role: 'tool_call', text: `${part.name} ${part.arguments}` }]
    return part.type === 'tool_result' ? [{ role: 'tool_result', text: part.content }] : []
  })
  return [{ role: message.role, text: textOfMessage(message) }, ...tools]
}

const newResult = (id: string, { attributes, startedAt }: AgentSpan): Result => ({
  conversation_id: id,
  conversation_name: textOf(attributes['conversation_name']) ?? '',
  agent_name: textOf(attributes['agent_name']) ?? '',
  last_activity: formatTime(startedAt),
  matched_messages: [],
})

function preview(text: string, query: string): string {
  const place = text.toLowerCase().indexOf(query.toLowerCase())
  const from = Math.max(0, place - operationLimits.agentMessageChars / 3)
  return text.slice(from, from + operationLimits.agentMessageChars).toWellFormed()
}
