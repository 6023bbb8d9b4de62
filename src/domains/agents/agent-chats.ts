import type { ProjectReader } from '../access/index.ts'
import type { AgentFeedback, PlacedFeedback } from './agent-feedback.ts'
import { type AgentSpan, durationMs } from './agent-span.ts'
import { markersOf, onConversation, withFeedback } from './chat-feedback.ts'
import type {
  ConversationChat,
  ConversationChatRequest,
  ConversationSpans,
  ConversationSpansRequest,
  TraceChat,
  TraceChatRequest,
} from './model/agent-chats.ts'
import { sumOrNull } from './span-groups.ts'
import type { SpanReader } from './span-reader.ts'
import { fieldValue } from './span-values.ts'
import { traceChat } from './trace-chat.ts'

/** Traces and conversations of agents as chats, with the feedback on them. */
export class AgentChats {
  private readonly spans: SpanReader
  private readonly feedback: AgentFeedback

  constructor(spans: SpanReader, feedback: AgentFeedback) {
    this.spans = spans
    this.feedback = feedback
  }

  /** Empty for a trace without spans. @throws DomainError InvalidRequest */
  async ofTrace(reader: ProjectReader, request: TraceChatRequest, signal: AbortSignal): Promise<TraceChat> {
    const { trace_id } = request
    const read = await this.spans.withPayload(reader, { traceIds: [trace_id], withCosts: true }, signal)
    const chat = traceChat(trace_id, read)
    if (request.include_feedback !== true) return chat
    const ids = read.map(({ span }) => span.id)
    const about = { callIds: ids, traceIds: [trace_id], conversationIds: [] }
    return withFeedback(chat, new Set(ids), await this.feedback.about(reader, about, signal))
  }

  /** @throws DomainError InvalidRequest */
  async ofConversation(
    reader: ProjectReader,
    request: ConversationChatRequest,
    signal: AbortSignal,
  ): Promise<ConversationChat> {
    const { conversation_id } = request
    const spans = await this.spans.all(reader, { threadIds: [conversation_id] }, signal)
    const traceIds = [...new Set(spans.map(({ traceId }) => traceId))]
    const limit = request.limit ?? 20
    const offset = request.offset ?? 0
    const end = Math.max(0, traceIds.length - offset)
    const shown = traceIds.slice(Math.max(0, end - limit), end)
    const read =
      shown.length === 0 ? [] : await this.spans.withPayload(reader, { traceIds: shown, withCosts: true }, signal)
    const all: PlacedFeedback[] | undefined =
      request.include_feedback === true
        ? await this.feedback.about(
            reader,
            { callIds: read.map(({ span }) => span.id), traceIds: shown, conversationIds: [conversation_id] },
            signal,
          )
        : undefined
    const turns = shown.map((traceId) => {
      const inTrace = read.filter(({ span }) => span.traceId === traceId)
      const chat = traceChat(traceId, inTrace)
      return all === undefined ? chat : withFeedback(chat, new Set(inTrace.map(({ span }) => span.id)), all)
    })
    return {
      conversation_id,
      turns,
      total_turns: traceIds.length,
      total_cost_usd: sumOrNull(turns.map(({ total_cost_usd }) => total_cost_usd)),
      limit,
      offset,
      has_more: end - limit > 0,
      feedback: all === undefined ? null : onConversation(conversation_id, new Set(spans.map(({ id }) => id)), all),
    }
  }

  /** @throws DomainError InvalidRequest */
  async spansOfConversations(
    reader: ProjectReader,
    { conversation_ids, ...bounds }: ConversationSpansRequest,
    signal: AbortSignal,
  ): Promise<ConversationSpans> {
    const threadIds = [...new Set(conversation_ids)]
    const spans = threadIds.length === 0 ? [] : await this.spans.all(reader, { ...bounds, threadIds }, signal)
    const about = {
      callIds: spans.map(({ id }) => id),
      traceIds: spans.map(({ traceId }) => traceId),
      conversationIds: threadIds,
    }
    const feedback = await this.feedback.about(reader, about, signal)
    return {
      conversations: threadIds.map((conversation_id) => {
        const inside = spans.filter(({ conversationId }) => conversationId === conversation_id)
        const traceOfSpan = new Map(inside.map(({ id, traceId }) => [id, traceId]))
        return {
          conversation_id,
          spans: inside.map(spanInConversation),
          spans_feedback: markersOf(conversation_id, traceOfSpan, feedback),
        }
      }),
    }
  }
}

const spanInConversation = (span: AgentSpan) => ({
  span_id: span.id,
  trace_id: span.traceId,
  operation_name: String(fieldValue(span, 'operation_name') ?? ''),
  status: span.status,
  duration_ms: durationMs(span),
})
