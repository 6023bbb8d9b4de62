import { decodeLogsJson } from '../../../../formats/wire/otlp/decode-logs.ts'
import { decodeLogsProtobuf } from '../../../../formats/wire/otlp/decode-logs-protobuf.ts'
import { decodeMetricsJson } from '../../../../formats/wire/otlp/decode-metrics-json.ts'
import { decodeMetricsProtobuf } from '../../../../formats/wire/otlp/decode-metrics-protobuf.ts'
import type { RejectedItems, SignalName } from '../../../../formats/wire/otlp/encode-response.ts'
import { DomainError } from '../../../../lib/errors.ts'
import type { Caller } from '../../../access/index.ts'
import type { TelemetryServices } from '../index.ts'

/**
 * The project that an export names in the header `project_id`. Exporters take headers from the
 * variable `OTEL_EXPORTER_OTLP_HEADERS`, whose values are percent-encoded (W3C Baggage); some send
 * them as they are. No project has "%" in its name.
 */
export function projectHeader(headers: Pick<Headers, 'get'>): string | undefined {
  const value = headers.get('project_id')?.trim()
  if (!value) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** The two encodings of OTLP over HTTP; over gRPC it is always protobuf. */
type Encoding = 'protobuf' | 'json'

export const contentTypes: Readonly<Record<Encoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
}

/**
 * The OTLP encoding of a request body; undefined for other content types. Content type parameters
 * are ignored.
 */
export function encodingOf(request: Request): Encoding | undefined {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type === contentTypes.json) return 'json'
  return type === contentTypes.protobuf || type === 'application/protobuf' ? 'protobuf' : undefined
}

/** @throws DomainError UnsupportedMediaType */
export function requireEncoding(request: Request): Encoding {
  const encoding = encodingOf(request)
  if (encoding !== undefined) return encoding
  const type = request.headers.get('content-type') ?? ''
  throw new DomainError(
    'UnsupportedMediaType',
    `Unsupported content type "${type}"; use application/x-protobuf or application/json`,
  )
}

/** A request of an exporter, decompressed. */
interface ExportRequest {
  readonly bytes: Uint8Array
  readonly encoding: Encoding
  /** Project of what names none by itself. */
  readonly project: string | undefined
}

/** One kind of telemetry. Exports of all kinds differ in nothing but this. */
export interface Signal {
  readonly name: SignalName
  /** HTTP paths; the first is in the API description. */
  readonly paths: readonly string[]
  /** Service and method over gRPC. */
  readonly grpcPath: string
  /** Operation ids, one per path. */
  readonly operations: readonly string[]
  /** Noun for the items of an export: "spans". */
  readonly items: string
  /** Sentence about the result of an item: "Each span is stored as a call." */
  readonly outcome: string
  /** Name of its messages, without `Request` and `Response`. */
  readonly message: string
  /** @throws DomainError if nothing was stored */
  readonly store: (
    services: TelemetryServices,
    caller: Caller,
    request: ExportRequest,
  ) => Promise<RejectedItems | undefined>
}

const traces: Signal = {
  name: 'traces',
  // The second is derived by exporters from a bare endpoint address, the third is used by older
  // clients, and the vendor's SDKs send conversation spans to the last.
  paths: ['/otel/v1/traces', '/v1/traces', '/otel/v1/trace', '/agents/otel/v1/traces'],
  grpcPath: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  operations: ['otel.exportTraces', 'otel.exportTracesAlias', 'otel.exportTracesOld', 'otel.exportAgentTraces'],
  items: 'spans',
  outcome: 'Each span is stored as a call.',
  message: 'ExportTraceService',
  store: (services, caller, request) => services.traces.store(caller, request),
}

const logs: Signal = {
  name: 'logs',
  paths: ['/otel/v1/logs', '/v1/logs'],
  grpcPath: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
  operations: ['otel.exportLogs', 'otel.exportLogsAlias'],
  items: 'log records',
  outcome:
    'Each record is stored as a log. Events of coding agents become calls, and what records say about a span is ' +
    'added to its call.',
  message: 'ExportLogsService',
  store: async (services, caller, { bytes, encoding, project }) => {
    const groups = encoding === 'json' ? decodeLogsJson(bytes) : decodeLogsProtobuf(bytes)
    return await services.logIngest.ingest(caller, groups, project)
  },
}

const metrics: Signal = {
  name: 'metrics',
  paths: ['/otel/v1/metrics', '/v1/metrics'],
  grpcPath: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
  operations: ['otel.exportMetrics', 'otel.exportMetricsAlias'],
  items: 'data points',
  outcome: 'Each data point is stored as sent, with its metric.',
  message: 'ExportMetricsService',
  store: async (services, caller, { bytes, encoding, project }) => {
    const groups = encoding === 'json' ? decodeMetricsJson(bytes) : decodeMetricsProtobuf(bytes)
    return await services.metricIngest.ingest(caller, groups, project)
  },
}

export const signals: readonly Signal[] = [traces, logs, metrics]

/** HTTP paths whose body is an export in one of the two encodings. */
export const exportPaths: ReadonlySet<string> = new Set(signals.flatMap(({ paths }) => paths))
