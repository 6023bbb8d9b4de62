import { type Static, type TSchema, Type } from '@sinclair/typebox'
import {
  FreeObject,
  Nullable,
  NullableInteger,
  NullableNumber,
  NullableText,
  NullableTime,
  OpenObject,
} from '../../../formats/schemas/members.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { Time, TimeText } from '../../../lib/time.ts'
import { agentPage, startedBetween } from './agents.ts'

const withFeedback = {
  include_feedback: Nullable(Type.Boolean({ default: false, description: 'Also on its turns and their spans' })),
}

export const TraceChatRequest = OpenObject({ project_id: ProjectId, trace_id: Type.String(), ...withFeedback })
export type TraceChatRequest = Static<typeof TraceChatRequest>

const Texts = Type.Array(Type.String())
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])

const byName = <T extends TSchema>(value: T) => Type.Record(Type.String(), value)

/** Feedback on a span, a turn or a conversation. */
export const FeedbackOfSpans = Type.Object({
  id: Type.String(),
  feedback_type: Type.String(),
  ext_ref: Type.String(),
  payload: FreeObject,
  creator: NullableText,
  created_at: TimeText,
  ext_user_id: NullableText,
  annotation_ref: NullableText,
  runnable_ref: NullableText,
  call_ref: NullableText,
  trigger_ref: NullableText,
  scorer_tags: Texts,
  scorer_tag_reasons: byName(Type.String()),
  scorer_tag_confidences: byName(Type.Number()),
  scorer_ratings: byName(Type.Number()),
  scorer_rating_reasons: byName(Type.String()),
  scorer_rating_confidences: byName(Type.Number()),
})
export type FeedbackOfSpans = Static<typeof FeedbackOfSpans>

/** Null unless requested. */
const FeedbackList = orNull(Type.Array(FeedbackOfSpans))

/** One element of what happened in a trace, in order; the member named after its type is set. */
export const ChatMessage = Type.Object({
  type: Type.Union([
    Type.Literal('user_message'),
    Type.Literal('assistant_message'),
    Type.Literal('tool_call'),
    Type.Literal('agent_start'),
    Type.Literal('context_compacted'),
  ]),
  span_id: Type.String(),
  agent_name: NullableText,
  agent_version: NullableText,
  started_at: TimeText,
  status_code: Type.String(),
  status_message: NullableText,
  error_type: NullableText,
  user_message: orNull(Type.Object({ text: Type.String(), content_refs: Texts })),
  assistant_message: orNull(
    Type.Object({
      text: Type.String(),
      model: NullableText,
      reasoning_content: NullableText,
      input_tokens: NullableNumber,
      output_tokens: NullableNumber,
      reasoning_tokens: NullableNumber,
      input_cost_usd: NullableNumber,
      output_cost_usd: NullableNumber,
      total_cost_usd: NullableNumber,
      duration_ms: Type.Number(),
      status: Type.String(),
      content_refs: Texts,
    }),
  ),
  tool_call: orNull(
    Type.Object({
      tool_name: NullableText,
      tool_arguments: NullableText,
      tool_result: NullableText,
      duration_ms: Type.Number(),
      status: Type.String(),
      content_refs: Texts,
    }),
  ),
  agent_start: orNull(
    Type.Object({
      model: NullableText,
      status: Type.String(),
      system_instructions: NullableText,
      tool_definitions: NullableText,
    }),
  ),
  context_compacted: orNull(
    Type.Object({
      compaction_summary: NullableText,
      compaction_items_before: NullableInteger,
      compaction_items_after: NullableInteger,
    }),
  ),
  agent_handoff: Type.Null(),
  feedback: FeedbackList,
})
export type ChatMessage = Static<typeof ChatMessage>

/** A trace as a conversation. */
export const TraceChat = Type.Object({
  trace_id: Type.String(),
  root_span_name: NullableText,
  agent_name: NullableText,
  agent_version: NullableText,
  provider: NullableText,
  status_code: NullableText,
  started_at: NullableTime,
  ended_at: NullableTime,
  total_duration_ms: Type.Union([Type.Number(), Type.Null()], { description: 'Of the root of the trace' }),
  total_input_tokens: Type.Number(),
  total_output_tokens: Type.Number(),
  total_reasoning_tokens: Type.Number(),
  total_cache_creation_input_tokens: Type.Number(),
  total_cache_read_input_tokens: Type.Number(),
  total_cost_usd: NullableNumber,
  ext_user_id: NullableText,
  messages: Type.Array(ChatMessage),
  feedback: FeedbackList,
})
export type TraceChat = Static<typeof TraceChat>

export const ConversationChatRequest = OpenObject({
  project_id: ProjectId,
  conversation_id: Type.String(),
  limit: Nullable(Type.Integer({ minimum: 0, maximum: 100, default: 20, description: 'Number of turns' })),
  offset: Nullable(Type.Integer({ minimum: 0, default: 0, description: 'Number of latest turns to skip' })),
  ...withFeedback,
})
export type ConversationChatRequest = Static<typeof ConversationChatRequest>

export const ConversationChat = Type.Object({
  conversation_id: Type.String(),
  turns: Type.Array(TraceChat, { description: 'One per trace, oldest first' }),
  total_turns: Type.Integer(),
  total_cost_usd: NullableNumber,
  limit: Type.Integer(),
  offset: Type.Integer(),
  has_more: Type.Boolean(),
  feedback: FeedbackList,
})
export type ConversationChat = Static<typeof ConversationChat>

export const ConversationSpansRequest = OpenObject({
  project_id: ProjectId,
  conversation_ids: Type.Array(Type.String(), { maxItems: 100 }),
  ...startedBetween,
})
export type ConversationSpansRequest = Static<typeof ConversationSpansRequest>

export const ConversationSpans = Type.Object({
  conversations: Type.Array(
    Type.Object({
      conversation_id: Type.String(),
      spans: Type.Array(
        Type.Object({
          span_id: Type.String(),
          trace_id: Type.String(),
          operation_name: Type.String(),
          status: Type.String(),
          duration_ms: Type.Number(),
        }),
        { description: 'Oldest first' },
      ),
      spans_feedback: Type.Array(
        Type.Object({
          trace_id: Type.Union([Type.String(), Type.Null()], {
            description: 'Null for feedback on the whole conversation',
          }),
          feedback_type: Type.String(),
          tags: Texts,
          ratings: Type.Array(
            Type.Object({
              name: Type.String(),
              value: Type.Number(),
              reason: NullableText,
              confidence: NullableNumber,
            }),
          ),
        }),
        { description: 'Feedback with tags or ratings, oldest first' },
      ),
    }),
  ),
})
export type ConversationSpans = Static<typeof ConversationSpans>

const roles = ['', 'user', 'assistant', 'system', 'tool', 'tool_call', 'tool_result'] as const

export const AgentSearchRequest = OpenObject({
  project_id: ProjectId,
  query: Type.Optional(Type.String({ maxLength: 1000, description: 'Text to find; all messages match an empty one' })),
  agent_name: Nullable(Type.String()),
  conversation_id: Nullable(Type.String()),
  provider_name: Nullable(Type.String()),
  request_model: Nullable(Type.String()),
  trace_id: Nullable(Type.String()),
  roles: Nullable(Type.Array(Type.Union(roles.map((role) => Type.Literal(role))))),
  truncate_content: Nullable(Type.Boolean({ default: true })),
  limit: agentPage.limit,
  offset: agentPage.offset,
  started_after: Nullable(Time),
  started_before: Nullable(Time),
})
export type AgentSearchRequest = Static<typeof AgentSearchRequest>

export const AgentSearchAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      conversation_id: Type.String({ description: 'Empty for spans outside conversations' }),
      conversation_name: Type.String(),
      agent_name: Type.String(),
      last_activity: TimeText,
      matched_messages: Type.Array(
        Type.Object({
          span_id: Type.String(),
          trace_id: Type.String(),
          role: Type.String(),
          content_preview: Type.String(),
          content_digest: Type.String(),
          started_at: TimeText,
        }),
      ),
    }),
  ),
  total_conversations: Type.Integer(),
})
export type AgentSearchAnswer = Static<typeof AgentSearchAnswer>
