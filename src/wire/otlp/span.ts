/** A point in time, exact to the nanosecond: microseconds since 1970 UTC, and 0–999 nanoseconds beyond. */
export interface NanoTime {
  readonly micros: number
  readonly nanos: number
}

/** Attributes as they were sent: key, and a JSON value (numbers beyond a double are raw tokens, see `json-value.ts`). */
export type AttributeEntries = readonly (readonly [key: string, value: unknown])[]

interface SpanEvent {
  readonly name: string
  /** null where the sender left it out. */
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

/** One span of OpenTelemetry, whatever encoding it came in. Ids are lower-case hexadecimal digits. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  /** null for the root of a trace. */
  readonly parentId: string | null
  readonly traceState: string
  readonly name: string
  /** Number of the protocol's SpanKind. */
  readonly kind: number
  /** null where the sender left it out. */
  readonly start: NanoTime | null
  /** null while the span runs. */
  readonly end: NanoTime | null
  readonly attributes: AttributeEntries
  readonly events: readonly SpanEvent[]
  readonly links: readonly SpanLink[]
  /** Number of the protocol's StatusCode: 0 unset, 1 ok, 2 error. */
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
  /** Address of the schema that its attributes follow; empty where none is named. */
  readonly schemaUrl: string
}

/** The library that made the spans. */
export interface SpanScope extends SpanResource {
  readonly name: string
  readonly version: string
}

/** Spans of one library in one resource. */
export interface SpanGroup {
  readonly resource: SpanResource
  readonly scope: SpanScope
  /** Each decodes one span. @throws SpanUnreadable */
  readonly spans: readonly (() => Span)[]
}

/** What tells a span from others. */
export type SpanNaming = Pick<Span, 'name' | 'traceId' | 'spanId'>

/** Why a span cannot be taken. The message is shown to the sender. */
export class SpanUnreadable extends Error {
  override readonly name = 'SpanUnreadable'
  /** As far as it could be read. */
  readonly span: SpanNaming | undefined

  constructor(message: string, { span, ...options }: ErrorOptions & { readonly span?: SpanNaming } = {}) {
    super(message, options)
    this.span = span
  }
}
