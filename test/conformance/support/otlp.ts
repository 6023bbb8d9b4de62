import { otlp } from '../../../src/formats/wire/otlp/messages.generated.js'
import type { Answer, Client, RequestOptions } from './client.ts'

export type Encoding = 'protobuf' | 'json'
export const encodings: readonly Encoding[] = ['protobuf', 'json']
export const contentTypes = { protobuf: 'application/x-protobuf', json: 'application/json' } as const

type Attributes = Readonly<Record<string, unknown>>

/**
 * The parts of a span that a test specifies; the rest has defaults. Attribute values: text,
 * boolean, number, bigint, bytes, null, lists and objects of these.
 */
export interface SpanDraft {
  traceId?: string
  spanId?: string
  parentSpanId?: string
  traceState?: string
  name?: string
  kind?: number
  /** Nanoseconds since 1970, as digits. */
  start?: string
  end?: string
  attributes?: Attributes
  events?: readonly { name: string; time?: string; attributes?: Attributes }[]
  links?: readonly { traceId: string; spanId: string; flags?: number; attributes?: Attributes }[]
  status?: { code?: number; message?: string }
}

/** 2024-05-01T10:00:00.123456789Z and a second later. */
const startNanos = '1714557600123456789'
const endNanos = '1714557601123456789'

let ids = 0
const hex = (digits: number) => `a${(++ids).toString(16).padStart(digits - 1, '0')}`
export const newTraceId = () => hex(32)
export const newSpanId = () => hex(16)

type Json = Record<string, unknown>

/** A span in OTLP's JSON encoding. */
export function spanOf(draft: SpanDraft = {}): Json {
  const { start = startNanos, end = endNanos, attributes = {}, events = [], links = [], ...rest } = draft
  return {
    traceId: newTraceId(),
    spanId: newSpanId(),
    name: 'work',
    kind: 1,
    startTimeUnixNano: start,
    endTimeUnixNano: end,
    attributes: pairsOf(attributes),
    events: events.map(({ name, time = startNanos, attributes: own = {} }) => ({
      name,
      timeUnixNano: time,
      attributes: pairsOf(own),
    })),
    links: links.map(({ attributes: own = {}, ...ids }) => ({ ...ids, attributes: pairsOf(own) })),
    ...rest,
  }
}

/** Spans of one library in one resource. */
export const groupOf = (spans: readonly unknown[], resource: Attributes = {}): Json => ({
  resource: { attributes: pairsOf(resource) },
  scopeSpans: [{ scope: { name: 'a-library', version: '1.2.3' }, spans }],
})

export const exportOf = (...groups: readonly unknown[]): Json => ({ resourceSpans: groups })

export const pairsOf = (attributes: Attributes): Json[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))

export function anyValue(value: unknown): Json {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'bigint') return { intValue: String(value) }
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: value } : { doubleValue: doubleOf(value) }
  if (value instanceof Uint8Array) return { bytesValue: value.toBase64() }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  if (typeof value === 'object' && value !== null) return { kvlistValue: { values: pairsOf(value as Attributes) } }
  return {}
}

const doubleOf = (value: number): unknown => (Number.isFinite(value) ? value : String(value))

interface Codec {
  encode(message: unknown): { finish(): Uint8Array<ArrayBuffer> }
  decode(bytes: Uint8Array): { partialSuccess: { rejectedSpans: unknown; errorMessage: string } | null } & Json
}
const messages: unknown = otlp
/** Encodes and decodes all messages, also those that the server only reads or only writes. */
export const codecs = messages as Readonly<Record<string, Codec>>

/** The same export in protobuf. */
export function toProtobuf(body: Json): Uint8Array<ArrayBuffer> {
  const groups = listOf(body['resourceSpans']).map((group) => ({
    schemaUrl: group['schemaUrl'],
    resource: codecs['Resource']!.encode(binary(group['resource'] ?? {})).finish(),
    scopeSpans: listOf(group['scopeSpans']).map((scope) => ({
      schemaUrl: scope['schemaUrl'],
      scope: codecs['Scope']!.encode(binary(scope['scope'] ?? {})).finish(),
      spans: listOf(scope['spans']).map((span) => codecs['Span']!.encode(binary(span)).finish()),
    })),
  }))
  return codecs['ExportRequest']!.encode({ resourceSpans: groups }).finish()
}

export const listOf = (value: unknown): Json[] => (value ?? []) as Json[]

/** Ids and bytes as bytes; numbers in text as numbers. */
export function binary(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => binary(item))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, binary(member, name)]))
  }
  if (typeof value !== 'string') return value
  if (/^(?:traceId|spanId|parentSpanId)$/.test(key)) return Uint8Array.fromHex(value)
  if (key === 'bytesValue') return Uint8Array.fromBase64(value)
  return key === 'doubleValue' ? Number(value) : value
}

/** What the server answered to an export: how many spans or records it left out, and why. */
export interface ExportAnswer {
  readonly status: number
  readonly rejected: number
  readonly message: string
  readonly answer: Answer<unknown>
}

/** Sends an export in the encoding. */
export async function send(
  client: Client,
  body: Json,
  encoding: Encoding,
  { path = '/otel/v1/traces', ...options }: RequestOptions & { path?: string } = {},
): Promise<ExportAnswer> {
  const bytes = encoding === 'json' ? JSON.stringify(body) : toProtobuf(body)
  return await sendRaw(client, bytes, encoding, { path, ...options })
}

export async function sendRaw(
  client: Client,
  bytes: string | Uint8Array<ArrayBuffer>,
  encoding: Encoding,
  { path = '/otel/v1/traces', headers, ...options }: RequestOptions & { path?: string } = {},
): Promise<ExportAnswer> {
  const answer = await client.postRaw(path, bytes, {
    ...options,
    headers: { 'content-type': contentTypes[encoding], ...headers },
  })
  if (answer.status !== 200) return { status: answer.status, rejected: 0, message: answer.text, answer }
  const partial = (encoding === 'json' ? (answer.json as Json) : codecs['ExportResponse']!.decode(answer.bytes))[
    'partialSuccess'
  ] as { rejectedSpans?: unknown; rejectedLogRecords?: unknown; errorMessage: string } | null | undefined
  return {
    status: 200,
    rejected: Number(partial?.rejectedSpans ?? partial?.rejectedLogRecords ?? 0),
    message: partial?.errorMessage ?? '',
    answer,
  }
}
