import type { AnyValue, Halves, KeyValue } from './otlp-attributes.ts'

/** A span as the generated encoder takes it. */
interface SpanToSend {
  readonly traceId: Uint8Array
  readonly spanId: Uint8Array
  readonly parentSpanId?: Uint8Array
  readonly traceState?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: Halves
  readonly endTimeUnixNano: Halves
  readonly attributes: readonly KeyValue[]
  readonly droppedAttributesCount?: number
  readonly events?: readonly object[]
  readonly droppedEventsCount?: number
  readonly links?: readonly object[]
  readonly droppedLinksCount?: number
  readonly status?: { readonly code: number; readonly message: string }
  readonly flags?: number
}

/** Attributes of a resource or scope. */
export interface SourceToSend {
  readonly attributes: readonly { readonly key: string; readonly value: AnyValue }[]
  readonly droppedAttributesCount?: number
}

/** A span with what produced it. Sources with the same key are equal. */
export interface ExportedSpan {
  readonly span: SpanToSend
  readonly resource: SourceToSend
  readonly resourceUrl: string
  readonly scope: SourceToSend & { readonly name: string; readonly version: string }
  readonly scopeUrl: string
  readonly resourceKey: string
  readonly scopeKey: string
}
