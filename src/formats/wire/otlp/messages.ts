import { otlp } from './messages.generated.js'

/** A 64-bit integer in two halves. */
export interface Long {
  readonly low: number
  readonly high: number
  readonly unsigned: boolean
  toString(): string
}

/**
 * The messages of `trace-export.proto` as decoded by the generated code; absent members have their
 * defaults.
 */
export interface ExportRequestMessage {
  readonly resourceSpans: readonly ResourceSpansMessage[]
}
interface ResourceSpansMessage {
  readonly resource: Uint8Array
  readonly schemaUrl: string
  readonly scopeSpans: readonly ScopeSpansMessage[]
}
interface ScopeSpansMessage {
  readonly scope: Uint8Array
  readonly schemaUrl: string
  readonly spans: readonly Uint8Array[]
}
export interface LogsRequestMessage {
  readonly resourceLogs: readonly ResourceLogsMessage[]
}
interface ResourceLogsMessage {
  readonly resource: Uint8Array
  readonly schemaUrl: string
  readonly scopeLogs: readonly ScopeLogsMessage[]
}
interface ScopeLogsMessage {
  readonly scope: Uint8Array
  readonly schemaUrl: string
  readonly logRecords: readonly Uint8Array[]
}
export interface LogRecordMessage extends ResourceMessage {
  readonly timeUnixNano: Long
  readonly observedTimeUnixNano: Long
  readonly severityNumber: number
  readonly severityText: string
  readonly eventName: string
  readonly body: AnyValueMessage | null
  readonly flags: number
  readonly traceId: Uint8Array
  readonly spanId: Uint8Array
}
export interface ResourceMessage {
  readonly attributes: readonly KeyValueMessage[]
  readonly droppedAttributesCount: number
}
export interface ScopeMessage extends ResourceMessage {
  readonly name: string
  readonly version: string
}
export interface SpanMessage extends ResourceMessage {
  readonly traceId: Uint8Array
  readonly spanId: Uint8Array
  readonly traceState: string
  readonly parentSpanId: Uint8Array
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: Long
  readonly endTimeUnixNano: Long
  readonly events: readonly EventMessage[]
  readonly droppedEventsCount: number
  readonly links: readonly LinkMessage[]
  readonly droppedLinksCount: number
  readonly status: { readonly message: string; readonly code: number } | null
  readonly flags: number
}
interface EventMessage extends ResourceMessage {
  readonly timeUnixNano: Long
  readonly name: string
}
interface LinkMessage extends ResourceMessage {
  readonly flags: number
  readonly traceId: Uint8Array
  readonly spanId: Uint8Array
  readonly traceState: string
}
export interface MetricsRequestMessage {
  readonly resourceMetrics: readonly {
    readonly resource: Uint8Array
    readonly schemaUrl: string
    readonly scopeMetrics: readonly {
      readonly scope: Uint8Array
      readonly schemaUrl: string
      readonly metrics: readonly Uint8Array[]
    }[]
  }[]
}
export interface MetricMessage {
  readonly name: string
  readonly description: string
  readonly unit: string
  /** Which of the members was sent. */
  readonly data?: 'gauge' | 'sum' | 'histogram' | 'exponentialHistogram' | 'summary' | undefined
  readonly gauge: NumberPointsMessage | null
  readonly sum: NumberPointsMessage | null
  readonly histogram: HistogramPointsMessage | null
  readonly exponentialHistogram: ExponentialHistogramPointsMessage | null
  readonly summary: { readonly dataPoints: readonly SummaryPointMessage[] } | null
}
interface NumberPointsMessage {
  readonly dataPoints: readonly NumberPointMessage[]
  readonly aggregationTemporality: number
  readonly isMonotonic: boolean
}
interface HistogramPointsMessage {
  readonly dataPoints: readonly HistogramPointMessage[]
  readonly aggregationTemporality: number
}
interface ExponentialHistogramPointsMessage {
  readonly dataPoints: readonly ExponentialHistogramPointMessage[]
  readonly aggregationTemporality: number
}
/** Members of points of all kinds. */
export interface PointMessage {
  readonly attributes: readonly KeyValueMessage[]
  readonly startTimeUnixNano: Long
  readonly timeUnixNano: Long
  readonly flags: number
}
export interface NumberMessage {
  readonly value?: 'asDouble' | 'asInt' | undefined
  readonly asDouble: number | null
  readonly asInt: Long | null
}
export interface NumberPointMessage extends PointMessage, NumberMessage {
  readonly exemplars: readonly ExemplarMessage[]
}
interface DistributionMessage extends PointMessage {
  readonly count: Long
  readonly sum: number | null
  readonly min: number | null
  readonly max: number | null
  readonly exemplars: readonly ExemplarMessage[]
}
export interface HistogramPointMessage extends DistributionMessage {
  readonly bucketCounts: Uint8Array
  readonly explicitBounds: Uint8Array
}
export interface ExponentialHistogramPointMessage extends DistributionMessage {
  readonly scale: number
  readonly zeroCount: Long
  readonly zeroThreshold: number
  readonly positive: ExponentialCountsMessage | null
  readonly negative: ExponentialCountsMessage | null
}
export interface ExponentialCountsMessage {
  readonly offset: number
  readonly bucketCounts: Uint8Array
}
export interface SummaryPointMessage extends PointMessage {
  readonly count: Long
  readonly sum: number
  readonly quantileValues: readonly { readonly quantile: number; readonly value: number }[]
}
export interface ExemplarMessage extends NumberMessage {
  readonly timeUnixNano: Long
  readonly spanId: Uint8Array
  readonly traceId: Uint8Array
  readonly filteredAttributes: readonly KeyValueMessage[]
}
export interface KeyValueMessage {
  readonly key: string
  readonly value: AnyValueMessage | null
}
export interface AnyValueMessage {
  /** Which of the members was sent. */
  readonly value?:
    | 'stringValue'
    | 'boolValue'
    | 'intValue'
    | 'doubleValue'
    | 'arrayValue'
    | 'kvlistValue'
    | 'bytesValue'
    | undefined
  readonly stringValue: string
  readonly boolValue: boolean
  readonly intValue: Long
  readonly doubleValue: number
  readonly arrayValue: { readonly values: readonly AnyValueMessage[] } | null
  readonly kvlistValue: { readonly values: readonly KeyValueMessage[] } | null
  readonly bytesValue: Uint8Array
}

/** Response to an export. */
export interface ExportResponseMessage {
  readonly partialSuccess: { readonly rejectedSpans: Long | number; readonly errorMessage: string } | null
}

export interface Decoder<Message> {
  /** @throws Error if the bytes cannot be decoded */
  decode(reader: unknown): Message
}

export interface Encoder<Message> {
  encode(message: Message): { finish(): Uint8Array<ArrayBuffer> }
}

export interface Codec<Encoded, Decoded> extends Encoder<Encoded>, Decoder<Decoded> {}

/**
 * A repeated or optional part of a message to encode. The messages are described in
 * `mapping/export/otlp-span.ts`.
 */
export type Parts = Readonly<Record<string, unknown>>

/** Typed decoders and encoders. */
export { otlp as messages }
