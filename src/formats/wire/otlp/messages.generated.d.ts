import type {
  Codec,
  Decoder,
  Encoder,
  ExportRequestMessage,
  ExportResponseMessage,
  LogRecordMessage,
  LogsRequestMessage,
  MetricMessage,
  MetricsRequestMessage,
  Parts,
  ResourceMessage,
  ScopeMessage,
  SpanMessage,
} from './messages.ts'

/** What `messages.generated.js` exports; `messages.ts` says what the parts look like. */
declare const otlp: {
  readonly ExportRequest: Codec<Parts, ExportRequestMessage>
  readonly ExportResponse: Codec<
    { readonly partialSuccess?: { readonly rejectedSpans: number; readonly errorMessage: string } },
    ExportResponseMessage
  >
  readonly Resource: Codec<object, ResourceMessage>
  readonly Scope: Codec<object, ScopeMessage>
  readonly Span: Codec<object, SpanMessage>
  readonly LogsRequest: Decoder<LogsRequestMessage>
  readonly LogRecord: Decoder<LogRecordMessage>
  readonly MetricsRequest: Decoder<MetricsRequestMessage>
  readonly Metric: Decoder<MetricMessage>
  readonly Refusal: Encoder<{ readonly code: number; readonly message: string }>
}

export { otlp }
