import type { ProjectReader } from '../access/index.ts'
import type { AgentFeedback, PlacedFeedback } from './agent-feedback.ts'
import { type AgentSpan, durationMs } from './agent-span.ts'
import type {
  ConversationChat,
  ConversationChatRequest,
  ConversationSpans,
  ConversationSpansRequest,
  FeedbackOfSpans,
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

type Marker = ConversationSpans['conversations'][number]['spans_feedback'][number]

/**
 * A trace with feedback: that on a span is at its last message; that on the turn, and on spans
 * without a message, is at the trace.
 */
function withFeedback(chat: TraceChat, spanIds: ReadonlySet<string>, all: readonly PlacedFeedback[]): TraceChat {
  const bySpan = new Map<string, FeedbackOfSpans[]>()
  const lastOf = new Map(chat.messages.map(({ span_id }, index) => [span_id, index]))
  const ofTurn: FeedbackOfSpans[] = []
  for (const { subject, feedback } of all) {
    const { callId, traceId } = subject
    if (callId !== null && lastOf.has(callId)) bySpan.set(callId, [...(bySpan.get(callId) ?? []), feedback])
    else if (traceId === chat.trace_id || (callId !== null && spanIds.has(callId))) ofTurn.push(feedback)
  }
  return {
    ...chat,
    messages: chat.messages.map((message, index) => ({
      ...message,
      feedback: lastOf.get(message.span_id) === index ? (bySpan.get(message.span_id) ?? []) : [],
    })),
    feedback: ofTurn,
  }
}

/** Feedback on a conversation as a whole. @param spanIds all spans of the conversation */
const onConversation = (id: string, spanIds: ReadonlySet<string>, all: readonly PlacedFeedback[]): FeedbackOfSpans[] =>
  all.flatMap(({ subject, feedback }) => (isOnWhole(subject, id, spanIds) ? [feedback] : []))

const isOnWhole = (
  { callId, traceId, conversationId }: PlacedFeedback['subject'],
  id: string,
  spanIds: Pick<ReadonlySet<string>, 'has'>,
): boolean => conversationId === id && traceId === null && (callId === null || !spanIds.has(callId))

/** Tags and ratings of the feedback in a conversation; `trace_id` is null for one on all of it. */
function markersOf(
  conversationId: string,
  traceOfSpan: ReadonlyMap<string, string>,
  all: readonly PlacedFeedback[],
): Marker[] {
  const traces = new Set(traceOfSpan.values())
  return all.flatMap(({ subject, feedback }): Marker[] => {
    const traceId = subject.traceId ?? (subject.callId === null ? null : (traceOfSpan.get(subject.callId) ?? null))
    const isHere = traceId === null ? isOnWhole(subject, conversationId, traceOfSpan) : traces.has(traceId)
    const { feedback_type, scorer_tags, scorer_ratings } = feedback
    const ratings = Object.entries(scorer_ratings).map(([name, value]) => ({
      name,
      value: Number(value),
      reason: feedback.scorer_rating_reasons[name] ?? null,
      confidence: numberOrNull(feedback.scorer_rating_confidences[name]),
    }))
    if (!isHere || scorer_tags.length + ratings.length === 0) return []
    return [{ trace_id: traceId, feedback_type, tags: scorer_tags, ratings }]
  })
}

const numberOrNull = (value: unknown): number | null => (value === undefined || value === null ? null : Number(value))
