import type { PlacedFeedback } from './agent-feedback.ts'
import type { ConversationSpans, FeedbackOfSpans, TraceChat } from './model/agent-chats.ts'

type Marker = ConversationSpans['conversations'][number]['spans_feedback'][number]

/**
 * A trace with feedback: that on a span is at its last message; that on the turn, and on spans
 * without a message, is at the trace.
 */
export function withFeedback(chat: TraceChat, spanIds: ReadonlySet<string>, all: readonly PlacedFeedback[]): TraceChat {
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
export const onConversation = (
  id: string,
  spanIds: ReadonlySet<string>,
  all: readonly PlacedFeedback[],
): FeedbackOfSpans[] => all.flatMap(({ subject, feedback }) => (isOnWhole(subject, id, spanIds) ? [feedback] : []))

const isOnWhole = (
  { callId, traceId, conversationId }: PlacedFeedback['subject'],
  id: string,
  spanIds: Pick<ReadonlySet<string>, 'has'>,
): boolean => conversationId === id && traceId === null && (callId === null || !spanIds.has(callId))

/** Tags and ratings of the feedback in a conversation; `trace_id` is null for one on all of it. */
export function markersOf(
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
