import type { Store } from '../../engine/store.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { formatTime } from '../../lib/time.ts'
import type { OutputNames } from '../../query/call-output.ts'
import { allOf, equals } from '../../query/grammar.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectReader } from '../access/index.ts'
import type { Costs } from '../costs/index.ts'
import { parseTimeRange } from '../records/index.ts'
import { AgentChats } from './agent-chats.ts'
import { AgentFeedback } from './agent-feedback.ts'
import { customTypes, spanKeyOf } from './agent-span.ts'
import { type ConversationConditions, ConversationFilters } from './conversation-filters.ts'
import { checkAliases } from './distributions.ts'
import { inGroupRanges } from './group-filters.ts'
import { type Counted, measuring } from './group-measures.ts'
import { searchMessages } from './message-search.ts'
import type { AgentSearchAnswer, AgentSearchRequest } from './model/agent-chats.ts'
import type { SpanMeasure } from './model/agent-filters.ts'
import type { SpanStats, SpanStatsRequest } from './model/agent-span-stats.ts'
import {
  type CustomAttributesAnswer,
  type CustomAttributesRequest,
  SpanGroup,
  type SpansAnswer,
  type SpansRequest,
} from './model/agent-spans.ts'
import {
  Agent,
  type AgentsAnswer,
  type AgentsRequest,
  AgentVersion,
  type AgentVersionsAnswer,
  type AgentVersionsRequest,
} from './model/agents.ts'
import { rollUp } from './rollups.ts'
import { spanAnswer } from './span-answer.ts'
import { groupKeysOf, spanGroups } from './span-groups.ts'
import { withPreviews } from './span-messages.ts'
import { SpanReader, type SpanSelection } from './span-reader.ts'
import { spanStats } from './span-stats.ts'

type Value = string | number | boolean | null

interface PageRequest {
  readonly sort_by?: readonly { readonly field: string; readonly direction?: 'asc' | 'desc' }[] | null | undefined
  readonly limit?: number | null | undefined
  readonly offset?: number | null | undefined
}

/**
 * A page of rows in the order of a request; nulls come last. @throws DomainError InvalidField for a
 * field that rows do not have
 */
function sortedPage<Row extends object>(
  rows: readonly Row[],
  { sort_by, limit, offset }: PageRequest,
  otherwise: string,
  fields: readonly string[],
): Row[] {
  const sort = sort_by?.length ? sort_by : [{ field: otherwise, direction: 'desc' as const }]
  for (const { field } of sort) {
    if (!fields.includes(field))
      throw new DomainError('InvalidField', `Cannot sort by ${quoted(field)}: there is no such field`)
  }
  const valueIn = (row: Row, field: string) => (row as Record<string, Value | undefined>)[field] ?? null
  const sorted = rows.toSorted((a, b) => {
    for (const { field, direction } of sort) {
      const order = compare(valueIn(a, field), valueIn(b, field), direction === 'asc' ? 1 : -1)
      if (order !== 0) return order
    }
    return 0
  })
  const from = offset ?? 0
  return sorted.slice(from, from + (limit ?? operationLimits.agentsListedDefault))
}

function compare(a: Value, b: Value, sign: 1 | -1): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return (a < b ? -1 : 1) * sign
}

/**
 * Agents, their conversations and their statistics, read from the spans that they sent. See
 * docs/decisions/101-agent-operations.md.
 */
export class Agents {
  readonly chats: AgentChats
  private readonly spans: SpanReader
  private readonly filters: ConversationFilters
  private readonly clock: Clock

  constructor(options: { store: Store; costs: Costs; clock: Clock; dialect: OutputNames }) {
    this.spans = new SpanReader(options)
    const feedback = new AgentFeedback(options)
    this.chats = new AgentChats(this.spans, feedback)
    this.filters = new ConversationFilters(this.spans, feedback)
    this.clock = options.clock
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
    const { query, started_after, started_before, group_by } = request
    const requested = { query, started_after, started_before, withCosts: request.include_costs === true }
    const selection = await this.narrowed(reader, requested, request, signal)
    if (group_by?.length) {
      const keys = groupKeysOf(group_by)
      const measures = request.measures ?? []
      const distributions = request.group_distributions ?? []
      checkAliases(distributions)
      const ranges = request.group_filters ?? []
      const counted = await this.counted(
        reader,
        selection,
        [...measures, ...ranges.map(({ measure }) => measure)],
        signal,
      )
      const statistics = new Map(measures.map((measure) => [measure.alias, measuring(measure, counted)]))
      const all = await this.spans.all(reader, selection, signal)
      const spans = inGroupRanges(all, ranges, group_by, counted)
      const groups = spanGroups(spans, keys, { statistics, distributions })
      const page = sortedPage(groups, request, 'last_seen', Object.keys(SpanGroup.properties))
      const isByConversation = keys.some(({ alias }) => alias === 'conversation_id')
      const shown = isByConversation ? await withPreviews(this.spans, reader, page, signal) : page
      return { spans: [], groups: shown, total_count: groups.length }
    }
    refuseWithoutGroups(request)
    const isDetailed = request.include_details === true
    const { sort_by, limit, offset } = request
    const page = { sort_by, limit: limit ?? operationLimits.agentsListedDefault, offset: offset ?? 0, isDetailed }
    const { spans, total } = await this.spans.page(reader, selection, page, signal)
    return {
      spans: spans.map((span) => spanAnswer(reader.projectId, span, isDetailed)),
      groups: [],
      total_count: total,
    }
  }

  /** @throws DomainError InvalidField, InvalidRequest */
  async stats(reader: ProjectReader, request: SpanStatsRequest, signal: AbortSignal): Promise<SpanStats> {
    const range = parseTimeRange(request, this.clock.nowMs())
    const [started_after, started_before] = [formatTime(range.start), formatTime(range.end)]
    const requested = { query: request.query, started_after, started_before, withCosts: true }
    const selection = await this.narrowed(reader, requested, request, signal)
    const ranges = request.group_filters ?? []
    const counted = await this.counted(
      reader,
      selection,
      ranges.map(({ measure }) => measure),
      signal,
    )
    const all = await this.spans.all(reader, selection, signal)
    return spanStats(inGroupRanges(all, ranges, request.group_by ?? [], counted), request, range)
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
    const limit = request.limit ?? operationLimits.agentsListedDefault
    const offset = request.offset ?? 0
    const all = [...counts.values()].sort((a, b) => b.span_count - a.span_count || (a.key < b.key ? -1 : 1))
    return { attributes: all.slice(offset, offset + limit), limit, offset, has_more: all.length > offset + limit }
  }

  /** @throws DomainError InvalidField, InvalidRequest */
  async search(reader: ProjectReader, request: AgentSearchRequest, signal: AbortSignal): Promise<AgentSearchAnswer> {
    const { agent_name, provider_name, request_model, conversation_id, trace_id, started_after, started_before } =
      request
    const equal = Object.entries({ agent_name, provider_name, request_model }).flatMap(([field, value]) =>
      value == null ? [] : [equals(field, value)],
    )
    const selection = {
      query: equal.length === 0 ? undefined : { $expr: allOf(...equal) },
      started_after,
      started_before,
      ...(conversation_id != null && { threadIds: [conversation_id] }),
      ...(trace_id != null && { traceIds: [trace_id] }),
      ...(request.query && { containing: request.query }),
    }
    const page = { sort_by: null, limit: operationLimits.agentSearchSpansMax, offset: 0, isDetailed: true }
    const { spans } = await this.spans.page(reader, selection, page, signal)
    return searchMessages(spans, request)
  }

  /** Selects the spans of the conversations that meet filters. */
  private async narrowed(
    reader: ProjectReader,
    selection: SpanSelection,
    filters: ConversationConditions,
    signal: AbortSignal,
  ): Promise<SpanSelection> {
    return { ...selection, conversations: await this.filters.conversations(reader, filters, selection, signal) }
  }

  /** The spans that the filter of each measure selects. */
  private async counted(
    reader: ProjectReader,
    selection: SpanSelection,
    measures: readonly SpanMeasure[],
    signal: AbortSignal,
  ): Promise<Counted> {
    const found = new Map<SpanMeasure, ReadonlySet<string>>()
    for (const measure of measures) {
      if (measure.filter == null) continue
      const query = bothOf(selection.query, measure.filter)
      const spans = await this.spans.all(reader, { ...selection, query, withCosts: false }, signal)
      found.set(measure, new Set(spans.map(spanKeyOf)))
    }
    return (measure) => found.get(measure)
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

/** The query that both queries make; a malformed one alone, which is refused where it is parsed. */
function bothOf(requested: unknown, filter: unknown): unknown {
  if (requested == null || !isJsonObject(filter)) return filter
  if (!isJsonObject(requested)) return requested
  const [first, a] = Object.entries(requested)[0] ?? []
  const [second, b] = Object.entries(filter)[0] ?? []
  return first !== undefined && first === second ? { [first]: { $and: [a, b] } } : filter
}

const ofGroups = ['measures', 'group_filters', 'group_distributions'] as const

/** @throws DomainError InvalidRequest for members that say something about groups */
function refuseWithoutGroups(request: SpansRequest): void {
  for (const member of ofGroups) {
    if (request[member]?.length) throw new DomainError('InvalidRequest', `\`${member}\` requires \`group_by\``)
  }
}
