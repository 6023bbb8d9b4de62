import { unnamedModel } from '../../../lib/count-tokens.ts'
import { isJsonObject, isRawNumber } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { CompletedCall, StartedCall } from '../../schemas/calls.ts'
import { type AttributeEntries, type Span, SpanUnreadable } from '../../wire/otlp/span.ts'
import type { CallMember, UsageMember } from '../conventions/convention.ts'
import { projectKeys } from '../conventions/own.ts'
import { findInTree } from './attribute-tree.ts'
import {
  displayNameOf,
  isOfConvention,
  mappedAttributes,
  opNameOf,
  threadNameOf,
  withKind,
  withoutDump,
  withSpanName,
} from './span-attributes.ts'
import { SpanValues, spanTimes } from './span-values.ts'

/** The sender's default project, for spans whose resource names none. */
interface ProjectHints {
  /** The project that the request names. */
  readonly named: string | undefined
  /** Entity of projects that are named after a service. */
  readonly entity: string | undefined
}

/** The project of the spans of a resource, which may be malformed; undefined if none is given. */
export const projectOfSpans = (resource: AttributeEntries, { named, entity }: ProjectHints): string | undefined =>
  projectOfResource(resource) ?? named ?? projectOfService(entity, resource)

function projectOfResource(attributes: AttributeEntries): string | undefined {
  const text = (name: string) => textOf(attributes, name)
  for (const keys of projectKeys) {
    const entity = text(keys.entity)
    const project = text(keys.project)
    if (entity !== undefined && project !== undefined) return `${entity}/${project}`
  }
  return undefined
}

function projectOfService(entity: string | undefined, attributes: AttributeEntries): string | undefined {
  if (entity === undefined) return undefined
  // The second is what SDKs call a service without a name.
  return `${entity}/${projectNameOf(textOf(attributes, 'service.name') ?? 'unknown_service')}`
}

/** A valid project name that resembles the name of a service. */
function projectNameOf(service: string): string {
  const name = service.replaceAll(/[^A-Za-z0-9_.-]+/g, '-').slice(0, operationLimits.projectPartCharsMax)
  // Paths with these would lead elsewhere.
  return /^\.+$/.test(name) ? name.replaceAll('.', '-') : name
}

function textOf(attributes: AttributeEntries, name: string): string | undefined {
  const value = attributes.findLast(([key]) => key === name)?.[1]
  return typeof value === 'string' && value !== '' ? value : undefined
}

type Usage = Partial<Record<UsageMember | 'gross_input_tokens', unknown>>

/**
 * Token usage of a span as an entry of `summary.usage`; undefined if it reports none. If several
 * conventions report the same number, it counts once. OpenTelemetry's `input_tokens` include cached
 * tokens; the total is in `gross_input_tokens` (see
 * docs/decisions/021-cached-tokens.md).
 */
function spanUsage(values: SpanValues): Usage | undefined {
  if (values.first(values.tables.usageElsewhere) !== undefined) return undefined
  const usage: Usage = {}
  for (const [member, names] of values.tables.usage) {
    const value = values.first(names)
    if (value !== undefined && (typeof value !== 'object' || isRawNumber(value))) usage[member] = tokens(value)
  }
  if (Object.keys(usage).length === 0) return undefined
  countUncached(usage)
  if (usage.input_tokens !== undefined) delete usage.prompt_tokens
  if (usage.output_tokens !== undefined) delete usage.completion_tokens
  const input = usage.input_tokens ?? usage.prompt_tokens
  const output = usage.output_tokens ?? usage.completion_tokens
  if (usage.total_tokens === undefined && typeof input === 'number' && typeof output === 'number') {
    usage.total_tokens = input + output
  }
  if (containsCached(usage)) usage.gross_input_tokens = usage.input_tokens
  return usage
}

/** Input counted without cached tokens: recognized by a total that includes them. */
function countUncached(usage: Usage): void {
  const { uncached_input_tokens: uncached, input_tokens } = usage
  delete usage.uncached_input_tokens
  if (uncached === undefined || input_tokens !== undefined) return
  usage.input_tokens = uncached
  const cached = count(usage.cache_read_input_tokens) + count(usage.cache_creation_input_tokens)
  usage.total_tokens ??= count(uncached) + count(usage.output_tokens) + cached
}

/** Whether `input_tokens` is the total input including cached tokens. */
function containsCached({ input_tokens, output_tokens, total_tokens, ...usage }: Usage): boolean {
  const cached = count(usage.cache_read_input_tokens) + count(usage.cache_creation_input_tokens)
  if (cached === 0 || typeof input_tokens !== 'number' || cached > input_tokens) return false
  return total_tokens !== input_tokens + count(output_tokens) + cached
}

const count = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** An integer if the value is one, else the value as sent. */
function tokens(value: unknown): unknown {
  if (typeof value !== 'string') return value
  return /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value
}

/** OTLP status codes. */
const statusError = 2

export interface MappedSpan {
  readonly call: StartedCall | CompletedCall
  readonly values: SpanValues
  /** The call belongs to a conversation but is not explicitly marked as a turn or not. */
  readonly mayBeTurn: boolean
}

/**
 * Converts a span to a call.
 *
 * @param redact replaces credentials in place; applied to everything kept of the span
 * @throws SpanUnreadable
 */
export function spanToCall(span: Span, projectId: string, redact: (value: unknown) => void): MappedSpan {
  checkIds(span)
  const values = new SpanValues(span)
  redact(values.attributes)
  for (const { attributes } of values.events) redact(attributes)
  const { startedAt, endedAt } = spanTimes(span, values)
  const { tables } = values
  const text = (member: CallMember) => values.firstText(tables.call.get(member))
  const leading = values.firstText(tables.leadingConversations)
  const named = text('thread_id')
  const conversation = leading ?? (named === undefined ? values.firstText(tables.otherConversations) : undefined)
  const thread = conversation ?? named
  const isTurn = values.first(tables.call.get('is_turn'))
  const displayName = text('display_name')
  const payload = payloadOf(span.name, values)
  const start: StartedCall = {
    project_id: projectId,
    id: span.spanId,
    trace_id: span.traceId,
    parent_id: isZero(span.parentId) ? null : span.parentId,
    op_name: opNameOf(span.name),
    display_name: displayName === undefined ? null : displayNameOf(displayName),
    thread_id: thread === undefined ? null : threadNameOf(thread),
    turn_id: thread !== undefined && isTruthy(isTurn) ? span.spanId : null,
    started_at: startedAt,
    attributes: payload.attributes,
    inputs: payload.inputs,
    ext_run_id: text('run_id')?.slice(0, 1024) ?? null,
    ext_run_step: stepOf(text('run_step')),
  }
  const mayBeTurn = conversation !== undefined && isTurn === undefined
  if (endedAt === undefined) return { call: start, values, mayBeTurn }
  const end = {
    ended_at: endedAt,
    exception: span.statusCode === statusError ? span.statusMessage || (thrown(values) ?? 'ERROR') : null,
    output: payload.output,
    summary: payload.summary,
    ext_run_step_end: stepOf(text('run_step_end')),
  }
  return { call: { ...start, ...end }, values, mayBeTurn }
}

/** OTLP ids: 16 and 8 bytes, not all zero. */
function checkIds({ traceId, spanId, parentId }: Span): void {
  if (!isSpanOrTraceId(traceId, 32)) throw new SpanUnreadable('the trace id must be 16 bytes and not all zeros')
  if (!isSpanOrTraceId(spanId, 16)) throw new SpanUnreadable('the span id must be 8 bytes and not all zeros')
  if (parentId !== null && parentId.length !== 16) throw new SpanUnreadable('the parent span id must be 8 bytes')
}

const isSpanOrTraceId = (id: string, digits: number): boolean => id.length === digits && !isZero(id)

/** Some exporters send zeros for "no parent". */
const isZero = (id: string | null): boolean => id !== null && /^0*$/.test(id)

/**
 * Message of the last exception recorded on the span, else its type
 * (https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-spans/).
 */
function thrown({ events }: SpanValues): string | undefined {
  const last = events.findLast(({ name }) => name === 'exception')
  return last && (textAt(last.attributes, 'message') ?? textAt(last.attributes, 'type'))
}

/** JSON in a message was parsed like all others, to redact secrets in it. */
function textAt(attributes: SpanValues['attributes'], member: string): string | undefined {
  const value = findInTree(attributes, ['exception', member])
  const text = typeof value === 'string' || value === undefined ? value : JSON.stringify(value)
  return text === '' ? undefined : text
}

interface Payload {
  readonly inputs: Record<string, unknown>
  readonly output: unknown
  readonly summary: Record<string, unknown>
  readonly attributes: Record<string, unknown>
}

function payloadOf(spanName: string, values: SpanValues): Payload {
  const { tables } = values
  const inputs = values.pick(tables.inputs)
  const output = values.pick(tables.output)
  const usage = spanUsage(values)
  const mapped = mappedAttributes(values)
  const given = values.first(tables.call.get('attributes'))
  const model = typeof mapped['model'] === 'string' ? mapped['model'] : undefined
  const stated = isJsonObject(given) ? { ...mapped, ...withoutDump(given) } : mapped
  const isMapped = (inputs ?? output ?? usage) !== undefined || isOfConvention(stated)
  // A span that follows no convention shows its attributes.
  const attributes: Record<string, unknown> = isMapped ? stated : { ...withoutDump(values.attributes), ...stated }
  return {
    inputs: inputs === undefined ? {} : inputsOf(inputs),
    output: output === undefined ? undefined : outputOf(output),
    summary: usage === undefined ? {} : { usage: { [model ?? unnamedModel]: usage } },
    attributes: withSpanName(withKind(attributes, spanName, usage !== undefined), spanName),
  }
}

/**
 * Keeps the value under its own name, so that its origin stays visible; an object under a plain
 * "input" becomes the inputs themselves.
 */
function inputsOf({ name, value }: { name: string; value: unknown }): Record<string, unknown> {
  return /^inputs?$/.test(name) && isJsonObject(value) ? { ...value } : { [name]: value }
}

const outputOf = ({ name, value }: { name: string; value: unknown }): unknown =>
  /^outputs?$/.test(name) ? value : { [name]: value }

/** Texts like "false" and "0" count as false. */
function isTruthy(value: unknown): boolean {
  if (typeof value === 'string') return !/^(?:|0|false|no|off)$/i.test(value)
  if (isRawNumber(value)) return true
  return Boolean(value)
}

/** Ignores steps that are not non-negative integers. */
function stepOf(text: string | undefined): number | null {
  const step = Number(text ?? Number.NaN)
  return Number.isSafeInteger(step) && step >= 0 ? step : null
}
