import { isJsonObject } from '../../../lib/json-value.ts'
import { version } from '../../../lib/version.ts'
import { sha256Hex } from '../../../runtime/platform/crypto.ts'
import { opShortName } from '../../dialect/ref.ts'
import { dumpToSpan, nanosOf } from './dump-to-span.ts'
import { anyValue, type ExportedSpan, type KeyValue } from './otlp-span.ts'

/** Members of an ended call as `calls/query` returns them in neutral names. */
export interface CallToExport {
  readonly project_id: string
  readonly id: string
  readonly trace_id: string
  readonly parent_id?: string | null
  readonly thread_id?: string | null
  readonly turn_id?: string | null
  readonly op_name: string
  readonly display_name?: string | null
  readonly started_at: string
  readonly ended_at: string
  readonly exception?: string | null
  readonly attributes: Readonly<Record<string, unknown>>
  readonly inputs: Readonly<Record<string, unknown>>
  readonly output?: unknown
  readonly summary?: Readonly<Record<string, unknown>> | null
}

type Members = Readonly<Record<string, unknown>>

const operations: Readonly<Record<string, string>> = {
  llm: 'chat',
  chat: 'chat',
  tool: 'execute_tool',
  agent: 'invoke_agent',
  embedding: 'embeddings',
  embeddings: 'embeddings',
}

/** Names of OpenTelemetry for the counts of a usage, and the names that clients use. */
const counts: readonly (readonly [string, readonly string[]])[] = [
  ['gen_ai.usage.input_tokens', ['gross_input_tokens', 'input_tokens', 'prompt_tokens']],
  ['gen_ai.usage.output_tokens', ['output_tokens', 'completion_tokens']],
  ['gen_ai.usage.cache_read.input_tokens', ['cache_read_input_tokens']],
  ['gen_ai.usage.cache_creation.input_tokens', ['cache_creation_input_tokens']],
  ['gen_ai.usage.reasoning.output_tokens', ['reasoning_tokens']],
]

/**
 * Attributes of a call by the conventions for generative AI
 * (https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/), with inputs and output as
 * OpenInference names them (https://arize-ai.github.io/openinference/spec/).
 */
function genAiAttributes(call: CallToExport): {
  readonly attributes: readonly KeyValue[]
  readonly isModelCall: boolean
} {
  const { inputs, output, attributes, summary, thread_id } = call
  const models = modelsIn(summary)
  const [only] = models.length === 1 ? models : []
  const model = firstText(attributes['model'], inputs['model'])
  const kind = firstText(attributes['kind'])?.toLowerCase()
  // The usage of a parent adds up that of its children, and would count twice.
  const operation = operations[kind ?? ''] ?? (only !== undefined && model !== undefined ? 'chat' : undefined)
  const isModelCall = operation === 'chat' || operation === 'embeddings'
  const members: [string, unknown][] = [
    ['gen_ai.operation.name', operation],
    ['gen_ai.request.model', isModelCall ? model : undefined],
    ['gen_ai.response.model', isModelCall ? firstText(fieldOf(output, 'model'), only?.[0]) : undefined],
    ['gen_ai.conversation.id', thread_id],
    ...(isModelCall && only !== undefined ? countsOf(only[1]) : []),
    ['input.value', Object.keys(inputs).length === 0 ? undefined : JSON.stringify(inputs)],
    ['input.mime_type', Object.keys(inputs).length === 0 ? undefined : 'application/json'],
    ['output.value', textOf(output)],
    ['output.mime_type', mimeTypeOf(output)],
  ]
  const known = members.filter(([, value]) => value !== undefined && value !== null)
  return { isModelCall, attributes: known.map(([key, value]) => ({ key, value: anyValue(value) })) }
}

/** Usage by model. */
function modelsIn(summary: Members | null | undefined): [string, Members][] {
  const usage = summary?.['usage']
  if (!isJsonObject(usage)) return []
  return Object.entries(usage).filter((entry): entry is [string, Record<string, unknown>] => isJsonObject(entry[1]))
}

const countsOf = (usage: Members): [string, unknown][] =>
  counts.map(([name, members]) => [name, members.map((member) => usage[member]).find(isCount)])

const isCount = (value: unknown): boolean => typeof value === 'number'
const firstText = (...values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '')
const fieldOf = (value: unknown, member: string): unknown => (isJsonObject(value) ? value[member] : undefined)

function textOf(output: unknown): string | undefined {
  if (output === null || output === undefined) return undefined
  return typeof output === 'string' ? output : JSON.stringify(output)
}

function mimeTypeOf(output: unknown): string | undefined {
  if (output === null || output === undefined) return undefined
  return typeof output === 'string' ? 'text/plain' : 'application/json'
}

const kindInternal = 1
const kindClient = 3
const statusError = 2

/**
 * A call as an OpenTelemetry span: the span that it was made from, else one that follows the
 * conventions for generative AI.
 */
export function callToSpan(call: CallToExport): ExportedSpan {
  const { otel_span: dump, ...attributes } = call.attributes
  return isJsonObject(dump) ? dumpToSpan(dump) : spanOf({ ...call, attributes })
}

function spanOf(call: CallToExport): ExportedSpan {
  const { attributes, isModelCall } = genAiAttributes(call)
  const service = call.project_id
  return {
    span: {
      traceId: idBytes(call.trace_id, 32),
      spanId: idBytes(call.id, 16),
      ...(call.parent_id && { parentSpanId: idBytes(call.parent_id, 16) }),
      name: call.display_name || opShortName(call.op_name),
      kind: isModelCall ? kindClient : kindInternal,
      startTimeUnixNano: nanosOf(call.started_at),
      endTimeUnixNano: nanosOf(call.ended_at),
      attributes: [...attributes, ...ownAttributes(call)],
      events: call.exception ? [exceptionEvent(call.exception, call.ended_at)] : [],
      status: call.exception ? { code: statusError, message: call.exception } : { code: 0, message: '' },
    },
    resource: { attributes: [{ key: 'service.name', value: anyValue(service) }] },
    resourceUrl: '',
    scope: { name: 'tracelake', version, attributes: [] },
    scopeUrl: '',
    resourceKey: service,
    scopeKey: 'tracelake',
  }
}

/**
 * Receivers look for errors in events and not only in the status of a span
 * (https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-spans/).
 */
const exceptionEvent = (message: string, endedAt: string) => ({
  name: 'exception',
  timeUnixNano: nanosOf(endedAt),
  attributes: [{ key: 'exception.message', value: anyValue(message) }],
})

/**
 * Attributes from which another tracelake restores the call, including its id, which is not always
 * that of the span.
 */
function ownAttributes({ id, attributes, display_name, thread_id, turn_id }: CallToExport): KeyValue[] {
  const members = {
    'ext.call_id': id,
    'ext.display_name': display_name,
    'ext.thread_id': thread_id,
    'ext.is_turn': turn_id === id ? true : undefined,
    'ext.attributes': Object.keys(attributes).length === 0 ? undefined : JSON.stringify(attributes),
  }
  return Object.entries(members).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: anyValue(value) }],
  )
}

/** An id of OpenTelemetry stays, a UUID loses its hyphens, and of any other the hash is taken. */
function idBytes(id: string, digits: number): Uint8Array {
  const hex = id.toLowerCase().replaceAll('-', '')
  const isId = hex.length === digits && /^[0-9a-f]+$/.test(hex) && /[1-9a-f]/.test(hex)
  return Uint8Array.fromHex(isId ? hex : sha256Hex(id).slice(0, digits))
}
