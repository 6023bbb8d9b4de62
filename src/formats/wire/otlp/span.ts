/**
 * A point in time with nanosecond precision: microseconds since 1970 UTC, plus 0–999 nanoseconds.
 */
export interface NanoTime {
  readonly micros: number
  readonly nanos: number
}

/**
 * Attributes as sent: key, and a JSON value (numbers beyond a double are raw tokens, see
 * `json-value.ts`).
 */
export type AttributeEntries = readonly (readonly [key: string, value: unknown])[]

interface SpanEvent {
  readonly name: string
  /** null if the sender omitted it. */
  readonly time: NanoTime | null
  readonly attributes: AttributeEntries
  readonly droppedAttributes: number
}

interface SpanLink {
  readonly traceId: string
  readonly spanId: string
  readonly traceState: string
  readonly attributes: AttributeEntries
  readonly droppedAttributes: number
  readonly flags: number
}

/** An OpenTelemetry span, independent of its encoding. Ids are lowercase hexadecimal. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  /** null for the root of a trace. */
  readonly parentId: string | null
  readonly traceState: string
  readonly name: string
  /** SpanKind number of the protocol. */
  readonly kind: number
  /** null if the sender omitted it. */
  readonly start: NanoTime | null
  /** null while the span runs. */
  readonly end: NanoTime | null
  readonly attributes: AttributeEntries
  readonly events: readonly SpanEvent[]
  readonly links: readonly SpanLink[]
  /** StatusCode number of the protocol: 0 unset, 1 ok, 2 error. */
  readonly statusCode: number
  readonly statusMessage: string
  readonly flags: number
  readonly droppedAttributes: number
  readonly droppedEvents: number
  readonly droppedLinks: number
}

export interface SpanResource {
  readonly attributes: AttributeEntries
  readonly droppedAttributes: number
  /** URL of the schema of its attributes; empty if none is given. */
  readonly schemaUrl: string
}

/** The instrumentation library of the spans. */
export interface SpanScope extends SpanResource {
  readonly name: string
  readonly version: string
}

/** Spans of one library in one resource. */
export interface SpanGroup {
  readonly resource: SpanResource
  readonly scope: SpanScope
  /**
   * Each function decodes one span.
   * @throws SpanUnreadable
   */
  readonly spans: readonly (() => Span)[]
}

/** The identity of a span. */
export type SpanIdentity = Pick<Span, 'name' | 'traceId' | 'spanId'>

/** Why a span is rejected. The message is shown to the sender. */
export class SpanUnreadable extends Error {
  override readonly name = 'SpanUnreadable'
  /** Identity of the span, as far as it could be read. */
  readonly span: SpanIdentity | undefined

  constructor(message: string, { span, ...options }: ErrorOptions & { readonly span?: SpanIdentity } = {}) {
    super(message, options)
    this.span = span
  }
}

/** A group whose items are all rejected because its resource or scope cannot be read. */
export const unreadableGroup = (reason: SpanUnreadable, count: number) => ({
  resource: { attributes: [], droppedAttributes: 0, schemaUrl: '' } satisfies SpanResource,
  scope: { name: '', version: '', attributes: [], droppedAttributes: 0, schemaUrl: '' } satisfies SpanScope,
  items: Array.from({ length: count }, () => (): never => {
    throw reason
  }),
})

/** Spans that are rejected because their group cannot be read. */
export function rejectedGroup(reason: SpanUnreadable, spans: number): SpanGroup {
  const { resource, scope, items } = unreadableGroup(reason, spans)
  return { resource, scope, spans: items }
}

/** A number as JSON has it: text for those without a JSON form. */
export const doubleValue = (value: number): unknown => (Number.isFinite(value) ? value : String(value))
