import type { ProjectReader } from '../../foundation/access/caller.ts'
import { parseTimeRange } from '../../foundation/stats/time-range.ts'
import { formatTime } from '../../kernel/time.ts'
import { limits } from '../../limits.ts'
import type {
  AgentSearchAnswer,
  AgentSearchRequest,
  ConversationChat,
  ConversationChatRequest,
  ConversationSpans,
  ConversationSpansRequest,
  TraceChat,
  TraceChatRequest,
} from '../../model/agent-chats.ts'
import type { SpanStats, SpanStatsRequest } from '../../model/agent-span-stats.ts'
import type {
  CustomAttributesAnswer,
  CustomAttributesRequest,
  SpansAnswer,
  SpansRequest,
} from '../../model/agent-spans.ts'
import { SpanGroup } from '../../model/agent-spans.ts'
import {
  Agent,
  type AgentsAnswer,
  type AgentsRequest,
  AgentVersion,
  type AgentVersionsAnswer,
  type AgentVersionsRequest,
} from '../../model/agents.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Costs } from '../../records/costs/costs.ts'
import type { Store } from '../../store/store.ts'
import { durationMs } from './agent-span.ts'
import { refuseUnsupported } from './aggregate.ts'
import { customTypes } from './custom-attributes.ts'
import { searchMessages } from './message-search.ts'
import { rollUp } from './rollups.ts'
import { sortedPage } from './sorted-page.ts'
import { spanAnswer } from './span-answer.ts'
import { groupKeysOf, spanGroups, sumOrNull } from './span-groups.ts'
import { withPreviews } from './span-previews.ts'
import { SpanReader } from './span-reader.ts'
import { spanStats } from './span-stats.ts'
import { fieldValue } from './span-values.ts'
import { traceChat } from './trace-chat.ts'

const unsupported = ['group_filters', 'insight_filters', 'signal_filters', 'group_distributions', 'include_feedback']

/** What agents did, told by the spans that they sent. */
export class Agents {
  private readonly spans: SpanReader
  private readonly clock: Clock

  constructor({ store, costs, clock }: { store: Store; costs: Costs; clock: Clock }) {
    this.spans = new SpanReader({ store, costs })
    this.clock = clock
  }

  /** @throws DomainError InvalidField, InvalidRequest */
  async agents(reader: ProjectReader, request: AgentsRequest, signal: AbortSignal): Promise<AgentsAnswer> {
    const name = request.filters?.agent_name
    const rows = await this.rollups(reader, request, false, signal)
    const agents = rows.filter(({ agent_name }) => name == null || agent_name === name)
    const page = sortedPage(agents, request, 'last_seen', Object.keys(Agent.properties))
    const { projectId: project_id } = reader
    return {
      agents: page.map(({ agent_version: _, ...agent }) => ({ project_id, ...agent })),
      total_count: agents.length,
    }
  }

  /** @throws DomainError InvalidField, InvalidRequest */
  async versions(
    reader: ProjectReader,
    request: AgentVersionsRequest,
    signal: AbortSignal,
  ): Promise<AgentVersionsAnswer> {
    const rows = await this.rollups(reader, request, true, signal)
    const versions = rows.filter(({ agent_name }) => agent_name === request.agent_name)
    const page = sortedPage(versions, request, 'last_seen', Object.keys(AgentVersion.properties))
    return {
      versions: page.map((version) => ({ project_id: reader.projectId, ...version })),
      total_count: versions.length,
    }
  }

  /** @throws DomainError InvalidField, InvalidRequest */
  async query(reader: ProjectReader, request: SpansRequest, signal: AbortSignal): Promise<SpansAnswer> {
    refuseUnsupported(request, unsupported)
    const { query, started_after, started_before, group_by } = request
    const question = { query, started_after, started_before, withCosts: request.include_costs === true }
    if (group_by?.length) {
      const keys = groupKeysOf(group_by)
      const spans = await this.spans.all(reader, question, signal)
      const groups = spanGroups(spans, keys, request.measures ?? [])
      const page = sortedPage(groups, request, 'last_seen', Object.keys(SpanGroup.properties))
      const isByConversation = keys.some(({ alias }) => alias === 'conversation_id')
      const shown = isByConversation ? await withPreviews(this.spans, reader, page, signal) : page
      return { spans: [], groups: shown, total_count: groups.length }
    }
    const isDetailed = request.include_details === true
    const { sort_by, limit, offset } = request
    const page = { sort_by, limit: limit ?? limits.agentsListedDefault, offset: offset ?? 0, isDetailed }
    const { spans, total } = await this.spans.page(reader, question, page, signal)
    return {
      spans: spans.map((span) => spanAnswer(reader.projectId, span, isDetailed)),
      groups: [],
      total_count: total,
    }
  }

  /** @throws DomainError InvalidField, InvalidRequest */
  async stats(reader: ProjectReader, request: SpanStatsRequest, signal: AbortSignal): Promise<SpanStats> {
    refuseUnsupported(request, unsupported)
    const range = parseTimeRange(request, this.clock.nowMs())
    const [started_after, started_before] = [formatTime(range.start), formatTime(range.end)]
    const question = { query: request.query, started_after, started_before, withCosts: true }
    return spanStats(await this.spans.all(reader, question, signal), request, range)
  }

  /** @throws DomainError InvalidField, InvalidRequest */
  async customAttributes(
    reader: ProjectReader,
    request: CustomAttributesRequest,
    signal: AbortSignal,
  ): Promise<CustomAttributesAnswer> {
    const spans = await this.spans.all(reader, request, signal)
    const counts = new Map<string, CustomAttributesAnswer['attributes'][number]>()
    for (const { custom } of spans) {
      for (const type of customTypes) {
        for (const key of Object.keys(custom[type])) {
          const id = `${type} ${key}`
          const known = counts.get(id)
          if (known !== undefined) known.span_count++
          else counts.set(id, { key, source: `custom_attrs_${type}`, value_type: type, span_count: 1 })
        }
      }
    }
    const limit = request.limit ?? limits.agentsListedDefault
    const offset = request.offset ?? 0
    const all = [...counts.values()].sort((a, b) => b.span_count - a.span_count || (a.key < b.key ? -1 : 1))
    return { attributes: all.slice(offset, offset + limit), limit, offset, has_more: all.length > offset + limit }
  }

  /** @throws DomainError InvalidField, InvalidRequest */
  async search(reader: ProjectReader, request: AgentSearchRequest, signal: AbortSignal): Promise<AgentSearchAnswer> {
    const { agent_name, provider_name, request_model, conversation_id, trace_id, started_after, started_before } =
      request
    const equal = Object.entries({ agent_name, provider_name, request_model }).flatMap(([field, value]) =>
      value == null ? [] : [{ $eq: [{ $getField: field }, { $literal: value }] }],
    )
    const question = {
      query: equal.length === 0 ? undefined : { $expr: { $and: equal } },
      started_after,
      started_before,
      ...(conversation_id != null && { threadIds: [conversation_id] }),
      ...(trace_id != null && { traceIds: [trace_id] }),
      ...(request.query && { containing: request.query }),
    }
    const page = { sort_by: null, limit: limits.agentSearchSpansMax, offset: 0, isDetailed: true }
    const { spans } = await this.spans.page(reader, question, page, signal)
    return searchMessages(spans, request)
  }

  /** Empty for a trace without spans. @throws DomainError InvalidRequest */
  async traceChat(reader: ProjectReader, request: TraceChatRequest, signal: AbortSignal): Promise<TraceChat> {
    refuseIfFeedback(request)
    const question = { traceIds: [request.trace_id], withCosts: true }
    return traceChat(request.trace_id, await this.spans.withPayload(reader, question, signal))
  }

  /** @throws DomainError InvalidRequest */
  async conversationChat(
    reader: ProjectReader,
    request: ConversationChatRequest,
    signal: AbortSignal,
  ): Promise<ConversationChat> {
    refuseIfFeedback(request)
    const { conversation_id } = request
    const spans = await this.spans.all(reader, { threadIds: [conversation_id] }, signal)
    const traceIds = [...new Set(spans.map(({ traceId }) => traceId))]
    const limit = request.limit ?? 20
    const offset = request.offset ?? 0
    const end = Math.max(0, traceIds.length - offset)
    const shown = traceIds.slice(Math.max(0, end - limit), end)
    const read =
      shown.length === 0 ? [] : await this.spans.withPayload(reader, { traceIds: shown, withCosts: true }, signal)
    const turns = shown.map((traceId) =>
      traceChat(
        traceId,
        read.filter(({ span }) => span.traceId === traceId),
      ),
    )
    return {
      conversation_id,
      turns,
      total_turns: traceIds.length,
      total_cost_usd: sumOrNull(turns.map(({ total_cost_usd }) => total_cost_usd)),
      limit,
      offset,
      has_more: end - limit > 0,
      feedback: null,
    }
  }

  /** @throws DomainError InvalidRequest */
  async conversationSpans(
    reader: ProjectReader,
    { conversation_ids, ...bounds }: ConversationSpansRequest,
    signal: AbortSignal,
  ): Promise<ConversationSpans> {
    const threadIds = [...new Set(conversation_ids)]
    const spans = threadIds.length === 0 ? [] : await this.spans.all(reader, { ...bounds, threadIds }, signal)
    return {
      conversations: threadIds.map((conversation_id) => ({
        conversation_id,
        spans: spans
          .filter(({ conversationId }) => conversationId === conversation_id)
          .map((span) => ({
            span_id: span.id,
            trace_id: span.traceId,
            operation_name: String(fieldValue(span, 'operation_name') ?? ''),
            status: span.status,
            duration_ms: durationMs(span),
          })),
        spans_feedback: [],
      })),
    }
  }

  private async rollups(
    reader: ProjectReader,
    { include_costs }: { include_costs?: boolean | null | undefined },
    byVersion: boolean,
    signal: AbortSignal,
  ) {
    return rollUp(await this.spans.all(reader, { withCosts: include_costs === true }, signal), byVersion)
  }
}

const refuseIfFeedback = ({ include_feedback }: { include_feedback?: boolean | null | undefined }): void =>
  refuseUnsupported({ include_feedback: include_feedback === true ? [true] : null }, ['include_feedback'])
