import { DomainError, quoted } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { formatTime } from '../../lib/time.ts'
import { type AgentSpan, costOf, durationMs, type SpanUsage } from './agent-span.ts'
import { distributionsOf } from './distributions.ts'
import type { GroupRef, SpanDistribution } from './model/agent-filters.ts'
import type { SpanGroup } from './model/agent-spans.ts'
import { fieldOf } from './span-fields.ts'
import { fieldValue, readerOf, type Scalar } from './span-values.ts'

/** A value that identifies a group, with its name in the response. */
export interface GroupKey {
  readonly alias: string
  readonly read: (span: AgentSpan) => Scalar
}

/** @throws DomainError InvalidField for a field that spans do not have */
export function groupKeysOf(refs: readonly GroupRef[]): GroupKey[] {
  return refs.map((ref) => {
    const read = readerOf(ref)
    if (read === undefined) throw noField('Group by', ref.key)
    const isField = ref.source === undefined || ref.source === 'field' || ref.source === 'column'
    return { alias: ref.alias ?? (isField ? fieldOf(ref.key) : undefined) ?? ref.key, read }
  })
}

/** Spans with equal values of the keys. */
export interface GroupOfSpans {
  /** Values by alias. */
  readonly keys: readonly (readonly [alias: string, value: Scalar])[]
  readonly spans: AgentSpan[]
}

/** Divides spans into groups, in order of appearance. */
export function grouped(spans: readonly AgentSpan[], keys: readonly GroupKey[]): GroupOfSpans[] {
  const groups = new Map<string, GroupOfSpans>()
  for (const span of spans) {
    const values = keys.map(({ alias, read }) => [alias, read(span)] as const)
    const key = JSON.stringify(values)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { keys: values, spans: [span] })
    else group.spans.push(span)
  }
  return [...groups.values()]
}

/** Members of a group in the response, in addition to those common to all groups. */
export interface GroupContents {
  /** By alias. */
  readonly statistics: ReadonlyMap<string, (spans: readonly AgentSpan[]) => Scalar>
  readonly distributions: readonly SpanDistribution[]
}

/** A group as answered, without previews of its messages. */
export function spanGroups(
  spans: readonly AgentSpan[],
  keys: readonly GroupKey[],
  { statistics, distributions }: GroupContents,
): SpanGroup[] {
  return grouped(spans, keys).map((group) => {
    const own = group.spans.filter(({ countsUsage }) => countsUsage)
    return {
      group_keys: Object.fromEntries(group.keys),
      ...countsOf(group.spans),
      ...tokensOf(own),
      ...namesOf(group.spans),
      first_message: null,
      last_message: null,
      metrics: Object.fromEntries([...statistics].map(([alias, statisticOf]) => [alias, statisticOf(group.spans)])),
      distributions: distributionsOf(group.spans, distributions),
    }
  })
}

function countsOf(spans: readonly AgentSpan[]) {
  const starts = spans.map(({ startedAt }) => startedAt)
  return {
    span_count: spans.length,
    invocation_count: spans.filter(({ kind }) => kind === 'agent').length,
    conversation_count: new Set(spans.flatMap(({ conversationId }) => conversationId ?? [])).size,
    error_count: spans.filter(({ status }) => status === 'ERROR').length,
    total_duration_ms: spans.reduce((sum, span) => sum + durationMs(span), 0),
    first_seen: formatTime(starts.reduce((a, b) => Math.min(a, b))),
    last_seen: formatTime(starts.reduce((a, b) => Math.max(a, b))),
  }
}

function tokensOf(spans: readonly AgentSpan[]) {
  const sum = (read: (usage: SpanUsage) => number) =>
    spans.reduce((total, { usage }) => total + (usage === undefined ? 0 : read(usage)), 0)
  return {
    total_input_tokens: sum(({ input }) => input),
    total_output_tokens: sum(({ output }) => output),
    total_reasoning_tokens: sum(({ reasoning }) => reasoning),
    total_cache_creation_input_tokens: sum(({ cacheCreation }) => cacheCreation),
    total_cache_read_input_tokens: sum(({ cacheRead }) => cacheRead),
    total_input_cost_usd: sumOrNull(spans.map(({ usage }) => usage?.inputCost ?? null)),
    total_output_cost_usd: sumOrNull(spans.map(({ usage }) => usage?.outputCost ?? null)),
    total_cost_usd: sumOrNull(spans.map(({ usage }) => costOf(usage))),
  }
}

/** Null if all values are. */
export function sumOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

function namesOf(spans: readonly AgentSpan[]) {
  const distinct = (field: string) =>
    [...new Set(spans.flatMap((span) => fieldValue(span, field) ?? []))]
      .map(String)
      .slice(0, operationLimits.agentsListedDefault)
  return {
    agent_names: distinct('agent_name'),
    agent_versions: distinct('agent_version'),
    provider_names: distinct('provider_name'),
    request_models: distinct('request_model'),
    conversation_names: distinct('conversation_name'),
  }
}

export const noField = (attempt: string, name: string): DomainError =>
  new DomainError('InvalidField', `${attempt} ${quoted(name)}: spans have no such field`)
