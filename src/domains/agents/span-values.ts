import { formatTime } from '../../lib/time.ts'
import { type AgentSpan, type CustomType, costOf, customTypes, durationMs, membersOf, textOf } from './agent-span.ts'
import type { GroupRef, SpanValueRef } from './model/agent-filters.ts'
import { fieldOf } from './span-fields.ts'

export type Scalar = string | number | boolean | null

/** Values of fields of a span by their names; those of attributes have the same name otherwise. */
const readers: Readonly<Record<string, (span: AgentSpan) => Scalar>> = {
  span_id: ({ id }) => id,
  trace_id: ({ traceId }) => traceId,
  parent_span_id: ({ parentId }) => parentId,
  span_name: ({ name }) => name,
  span_kind: ({ spanKind }) => spanKind,
  started_at: ({ startedAt }) => formatTime(startedAt),
  ended_at: ({ endedAt }) => (endedAt === null ? null : formatTime(endedAt)),
  duration_ms: durationMs,
  status_code: ({ status }) => status,
  status_message: ({ statusMessage }) => statusMessage,
  provider_name: ({ attributes }) => textOf(attributes['provider']) ?? textOf(attributes['system']),
  request_model: requestModel,
  response_model: ({ attributes }) => textOf(attributes['model']),
  conversation_id: ({ conversationId }) => conversationId,
  input_tokens: ({ usage }) => usage?.input ?? null,
  output_tokens: ({ usage }) => usage?.output ?? null,
  reasoning_tokens: ({ usage }) => usage?.reasoning ?? null,
  cache_creation_input_tokens: ({ usage }) => usage?.cacheCreation ?? null,
  cache_read_input_tokens: ({ usage }) => usage?.cacheRead ?? null,
  total_cost_usd: ({ usage }) => costOf(usage),
  request_choice_count: (span) => numberOf(membersOf(parameters(span)['choice'])['count']),
  server_address: ({ custom }) => custom.string['server.address'] ?? null,
  server_port: ({ custom }) => custom.int['server.port'] ?? null,
  parent_call_id: (span) => textOf(parentCall(span)['id']),
  parent_call_trace_id: (span) => textOf(parentCall(span)['trace_id']),
  ext_user_id: ({ userId }) => userId,
  ext_run_id: ({ run }) => run.id,
  ext_run_step: ({ run }) => run.step,
  ext_run_step_end: ({ run }) => run.stepEnd,
}

const derived: Readonly<Record<string, (span: AgentSpan) => Scalar>> = {
  duration_ms: durationMs,
  total_tokens: ({ usage }) => (usage === undefined ? null : usage.input + usage.output),
  is_error: ({ status }) => status === 'ERROR',
  is_invocation: ({ kind }) => kind === 'agent',
}

/** The value that a request refers to; undefined if there is no such field. */
export function readerOf({
  source = 'field',
  key,
}: SpanValueRef | GroupRef): ((span: AgentSpan) => Scalar) | undefined {
  const type = customTypes.find((one) => source === `custom_attrs_${one}`)
  if (type !== undefined) return ({ custom }) => customValue(custom[type], key)
  if (source === 'derived') return Object.hasOwn(derived, key) ? derived[key] : undefined
  const field = fieldOf(key)
  return field === undefined ? undefined : (span) => fieldValue(span, field)
}

const usageFields: ReadonlySet<string> = new Set([
  'input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'total_cost_usd',
  'total_tokens',
])

/** The same where values of several spans are put together: usage that does not count is none. */
export function measureOf(ref: SpanValueRef): ((span: AgentSpan) => Scalar) | undefined {
  const { source = 'field', key } = ref
  const read = readerOf(ref)
  const name = source === 'derived' ? key : source === 'field' ? fieldOf(key) : undefined
  if (read === undefined || name === undefined || !usageFields.has(name)) return read
  return (span) => (span.countsUsage ? read(span) : null)
}

/** The attribute of a name; null if the span has none. */
export const customValue = (values: AgentSpan['custom'][CustomType], key: string): Scalar => values[key] ?? null

/** The value of a field; null if the span has none. */
export function fieldValue(span: AgentSpan, field: string): Scalar {
  const read = Object.hasOwn(readers, field) ? readers[field] : undefined
  if (read !== undefined) return read(span)
  const value = field.startsWith('request_') ? parameters(span)[field.slice('request_'.length)] : span.attributes[field]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

export const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

function requestModel(span: AgentSpan): string | null {
  return textOf(parameters(span)['model']) ?? textOf(span.attributes['model'])
}

const parameters = ({ attributes }: AgentSpan) => membersOf(attributes['model_parameters'])

const parentCall = ({ vendor }: AgentSpan) => membersOf(vendor['parent_call'])
