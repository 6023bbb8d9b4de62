import { opShortName } from '../../formats/dialect/ref.ts'
import { callKind } from '../../formats/mapping/kinds/call-kind.ts'
import type { CallKind } from '../../formats/schemas/traces.ts'
import { bareRecord, isJsonObject } from '../../lib/json-value.ts'
import { explorationLimits } from '../../lib/limits/exploration.ts'
import { spanText } from '../../lib/stored-span.ts'
import { type RowOfShape, rowShape } from '../../lib/typed-rows.ts'
import type { PriceBook } from '../costs/index.ts'
import { ownUsage } from '../usage/index.ts'

/** Attributes of a span that are not fields of it, by type. */
interface CustomAttributes {
  readonly string: Readonly<Record<string, string>>
  readonly int: Readonly<Record<string, number>>
  readonly float: Readonly<Record<string, number>>
  readonly bool: Readonly<Record<string, boolean>>
}

export const customTypes = ['string', 'int', 'float', 'bool'] as const
export type CustomType = (typeof customTypes)[number]

/** Attributes of one span that are shown by name. */
const namesMax = 512

/** First parts of the names of attributes that are fields. */
const ofFields: ReadonlySet<string> = new Set(['gen_ai', 'weave'])

/** The attributes of a span, which are nested at their dots, under their full names. */
function customAttributes(attributes: Readonly<Record<string, unknown>>, isShort: boolean): CustomAttributes {
  const cut = (text: string) => (isShort ? text.slice(0, explorationLimits.valueCharsMax).toWellFormed() : text)
  const found = {
    string: bareRecord<string>(),
    int: bareRecord<number>(),
    float: bareRecord<number>(),
    bool: bareRecord<boolean>(),
  }
  let left = namesMax
  const add = (name: string, value: unknown): void => {
    if (value === null || value === undefined || left-- <= 0) return
    if (typeof value === 'string') found.string[name] = cut(value)
    else if (typeof value === 'boolean') found.bool[name] = value
    else if (typeof value === 'number') found[Number.isSafeInteger(value) ? 'int' : 'float'][name] = value
    else if (isJsonObject(value)) for (const [member, inner] of Object.entries(value)) add(`${name}.${member}`, inner)
    else found.string[name] = cut(JSON.stringify(value))
  }
  for (const [name, value] of Object.entries(attributes)) if (!ofFields.has(name)) add(name, value)
  return found
}

/** The columns of calls of which a span is made. */
export const agentSpanShape = rowShape({
  id: 'text',
  trace_id: 'text',
  parent_id: 'text?',
  op_name: 'text',
  started_at: 'time',
  ended_at: 'time?',
  exception: 'text?',
  thread_id: 'text?',
  attributes: 'json?',
  summary: 'json?',
  otel_dump: 'json?',
  ext_user_id: 'text?',
  ext_run_id: 'text?',
  ext_run_step: 'integer?',
  ext_run_step_end: 'integer?',
  otel_group: 'json?',
  inputs: 'json?',
  output: 'json?',
  usage_below: 'integer?',
  usage_elsewhere: 'integer?',
})

export type AgentSpanRow = RowOfShape<typeof agentSpanShape>

type Members = Readonly<Record<string, unknown>>
type Text = string | null

/** Tokens and costs in US dollars of a span; null if it reports none, or if no price is known. */
export interface SpanUsage {
  readonly input: number
  readonly output: number
  readonly reasoning: number
  readonly cacheRead: number
  readonly cacheCreation: number
  readonly inputCost: number | null
  readonly outputCost: number | null
  readonly cacheReadCost: number | null
  readonly cacheCreationCost: number | null
}

/** A call that came as a span. Times in microseconds since 1970 UTC. */
export interface AgentSpan {
  readonly id: string
  readonly traceId: string
  readonly parentId: Text
  readonly name: string
  readonly startedAt: number
  readonly endedAt: number | null
  readonly status: 'UNSET' | 'OK' | 'ERROR'
  readonly exception: Text
  readonly conversationId: Text
  readonly kind: CallKind
  readonly attributes: Members
  readonly spanKind: Text
  readonly statusMessage: Text
  /** Attributes under the vendor's prefix that are no messages. */
  readonly vendor: Members
  readonly custom: CustomAttributes
  readonly usage: SpanUsage | undefined
  /** Whether the usage counts in sums: no other call states it. */
  readonly countsUsage: boolean
  readonly userId: Text
  readonly run: { readonly id: Text; readonly step: number | null; readonly stepEnd: number | null }
}

/**
 * @param prices undefined if costs are not requested
 * @param isShort whether to cut texts of attributes
 */
export function agentSpanOf(row: AgentSpanRow, prices: PriceBook | undefined, isShort: boolean): AgentSpan {
  const attributes = objectOf(row.attributes)
  const dump = objectOf(spanText(row))
  const status = membersOf(dump['status'])['code']
  const name = opShortName(row.op_name)
  return {
    id: row.id,
    traceId: row.trace_id,
    parentId: row.parent_id,
    name: textOf(dump['name']) ?? name,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    status: row.exception ? 'ERROR' : status === 'OK' || status === 'ERROR' ? status : 'UNSET',
    exception: row.exception,
    conversationId: row.thread_id || null,
    kind: callKind({
      stated: textOf(attributes['kind']),
      operation: textOf(attributes['operation_name']),
      op: name,
      isModelCall: false,
    }),
    attributes,
    spanKind: textOf(dump['kind']),
    statusMessage: textOf(membersOf(dump['status'])['message']) ?? row.exception,
    vendor: vendorMembers(membersOf(membersOf(dump['attributes'])['weave'])),
    custom: customAttributes(membersOf(dump['attributes']), isShort),
    usage: usageOf(objectOf(row.summary)['usage'], row.started_at, prices),
    countsUsage: !row.usage_below && !row.usage_elsewhere,
    userId: row.ext_user_id,
    run: { id: row.ext_run_id, step: row.ext_run_step, stepEnd: row.ext_run_step_end },
  }
}

const vendorNames = ['parent_call', 'compaction', 'content_refs', 'artifact_refs', 'object_refs'] as const

const vendorMembers = (all: Members): Members =>
  Object.fromEntries(vendorNames.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))

function usageOf(usage: unknown, startedAt: number, prices: PriceBook | undefined): SpanUsage | undefined {
  if (!isJsonObject(usage)) return undefined
  const byModel = [...ownUsage(JSON.stringify(usage), startedAt, prices)]
  if (byModel.length === 0) return undefined
  const sum = (
    name: 'prompt_tokens' | 'completion_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens',
  ) => byModel.reduce((total, [, statistics]) => total + statistics[name], 0)
  const priced = byModel.filter(([model]) => prices?.hasPrice(model, startedAt))
  const cost = (name: `${Parameters<typeof sum>[0]}_total_cost`) =>
    priced.length === 0 ? null : priced.reduce((total, [, statistics]) => total + (statistics[name] ?? 0), 0)
  const reasoning = Object.values(usage).map((statistics) => Number(membersOf(statistics)['reasoning_tokens'] ?? 0))
  return {
    input: sum('prompt_tokens'),
    output: sum('completion_tokens'),
    reasoning: reasoning.reduce((total, tokens) => total + (Number.isFinite(tokens) ? tokens : 0), 0),
    cacheRead: sum('cache_read_input_tokens'),
    cacheCreation: sum('cache_creation_input_tokens'),
    inputCost: cost('prompt_tokens_total_cost'),
    outputCost: cost('completion_tokens_total_cost'),
    cacheReadCost: cost('cache_read_input_tokens_total_cost'),
    cacheCreationCost: cost('cache_creation_input_tokens_total_cost'),
  }
}

/** Cost of all tokens of a span; null if no price is known. */
export function costOf(usage: SpanUsage | undefined): number | null {
  const costs = [usage?.inputCost, usage?.outputCost, usage?.cacheReadCost, usage?.cacheCreationCost]
  const known = costs.filter((cost) => typeof cost === 'number')
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0)
}

/** Whole milliseconds from start to end; 0 while the span runs. */
export const durationMs = ({ startedAt, endedAt }: AgentSpan): number =>
  endedAt === null ? 0 : Math.max(0, Math.floor((endedAt - startedAt) / 1000))

/** Tells a span from all others of a project. */
export const spanKeyOf = ({ traceId, id }: Pick<AgentSpan, 'traceId' | 'id'>): string => `${traceId} ${id}`

/** Levels that are looked at above a span. */
export const levelsMax = 256

/** The span above one; undefined if it was not read. */
export const parentOf = (span: AgentSpan, byId: ReadonlyMap<string, AgentSpan>): AgentSpan | undefined =>
  span.parentId === null ? undefined : byId.get(`${span.traceId} ${span.parentId}`)

export const textOf = (value: unknown): Text => (typeof value === 'string' && value !== '' ? value : null)
export const membersOf = (value: unknown): Members => (isJsonObject(value) ? value : {})
const objectOf = (text: Text): Members => membersOf(text === null ? undefined : JSON.parse(text))
