import type { AttributeEntries, NanoTime, SpanResource, SpanScope } from './span.ts'

/** An OpenTelemetry log record, independent of its encoding. Ids are lowercase hexadecimal. */
export interface LogRecord {
  /** null if the sender omitted it. */
  readonly time: NanoTime | null
  readonly observedTime: NanoTime | null
  /** SeverityNumber of the protocol; 0 if unspecified. */
  readonly severityNumber: number
  readonly severityText: string
  readonly eventName: string
  /** A JSON value; null if there is none. */
  readonly body: unknown
  readonly attributes: AttributeEntries
  readonly droppedAttributes: number
  readonly flags: number
  /** Empty outside of a span. */
  readonly traceId: string
  readonly spanId: string
}

/** Log records of one library in one resource. */
export interface LogGroup {
  readonly resource: SpanResource
  readonly scope: SpanScope
  /**
   * Each function decodes one record.
   * @throws SpanUnreadable
   */
  readonly records: readonly (() => LogRecord)[]
}
