import { anyOf, type Condition, compares, contains, isOneOf } from '../../query/grammar.ts'
import type { ProjectReader } from '../access/index.ts'
import type { AgentFeedback } from './agent-feedback.ts'
import type { InsightFilter, SignalFilters } from './model/agent-filters.ts'
import type { Conversations, SpanReader, SpanSelection } from './span-reader.ts'

/** Members of a request that choose spans by signals and insights about their conversations. */
export interface ConversationConditions {
  readonly signal_filters?: SignalFilters | null | undefined
  readonly insight_filters?: readonly InsightFilter[] | null | undefined
}

type Times = Pick<SpanSelection, 'started_after' | 'started_before'>

/**
 * Finds the conversations that meet filters by signals and insights.
 *
 * Signals are the tags and ratings of feedback. Insights are findings of a model or a person about
 * a conversation: a member of that name in the payload of feedback, or an attribute of a span.
 */
export class ConversationFilters {
  private readonly spans: SpanReader
  private readonly feedback: AgentFeedback

  constructor(spans: SpanReader, feedback: AgentFeedback) {
    this.spans = spans
    this.feedback = feedback
  }

  /**
   * The conversations that meet all filters. @param times in which the spans with attributes
   * started @throws DomainError InvalidRequest if there is too much feedback
   */
  async conversations(
    reader: ProjectReader,
    { signal_filters, insight_filters }: ConversationConditions,
    times: Times,
    signal: AbortSignal,
  ): Promise<Conversations> {
    const among: Set<string>[] = []
    const outside = new Set<string>()
    for (const condition of signalConditions(signal_filters)) {
      among.push(await this.withFeedback(reader, condition, signal))
    }
    for (const filter of insight_filters ?? []) {
      const found = await this.withFeedback(reader, payloadCondition(filter), signal)
      const query = { $expr: attributeCondition(filter) }
      for (const id of await this.spans.conversations(reader, { ...times, query }, signal)) found.add(id)
      if (filter.exclude === true) for (const id of found) outside.add(id)
      else among.push(found)
    }
    const [first, ...others] = among
    return { among: first && others.reduce((both, other) => both.intersection(other), first), outside }
  }

  /** Conversations with feedback that meets a condition, on them, their turns or their spans. */
  private async withFeedback(reader: ProjectReader, condition: Condition, signal: AbortSignal): Promise<Set<string>> {
    const subjects = await this.feedback.subjects(reader, condition, signal)
    const found = new Set(subjects.flatMap(({ conversationId }) => conversationId ?? []))
    const rest = subjects.filter(({ conversationId }) => conversationId === null)
    const traceIds = new Set(rest.flatMap(({ traceId }) => traceId ?? []))
    const ids = new Set(rest.flatMap(({ traceId, callId }) => (traceId === null ? (callId ?? []) : [])))
    for (const values of [{ trace_id: [...traceIds] }, { id: [...ids] }]) {
      if (Object.values(values).flat().length === 0) continue
      for (const id of await this.spans.conversations(reader, { values }, signal)) found.add(id)
    }
    return found
  }
}

const operators = { gte: '$gte', gt: '$gt', lte: '$lte', lt: '$lt', eq: '$eq' } as const

/** A condition per signal: tags and ratings are often in different feedback. */
function signalConditions(filters: SignalFilters | null | undefined): Condition[] {
  const tags = filters?.tags ?? []
  const hasTag = anyOf(...tags.map((tag) => contains('scorer_tags', tag)))
  const ratings = (filters?.ratings ?? []).map(({ scorer_key, op, value }) =>
    compares(`scorer_ratings.${escaped(scorer_key)}`, operators[op], value),
  )
  return [...(tags.length === 0 ? [] : [hasTag]), ...ratings]
}

const escaped = (key: string): string => key.replaceAll('.', '\\.')

/** Judges answer with an output, people with a value; other feedback has members of its own. */
const payloadCondition = (filter: InsightFilter): Condition =>
  anyOf(...['payload.', 'payload.output.', 'payload.value.'].map((base) => hasValue(base, filter)))

const attributeCondition = (filter: InsightFilter): Condition =>
  anyOf(...['', 'insight.'].map((base) => hasValue(base, filter)))

/** Severities are compared in any case, as the vendor's servers do. */
function hasValue(base: string, { field, values }: InsightFilter): Condition {
  const spellings = (value: string) => [value, value.toUpperCase(), value.charAt(0).toUpperCase() + value.slice(1)]
  return isOneOf(base + field, field === 'failure_severity' ? values.flatMap(spellings) : values)
}
