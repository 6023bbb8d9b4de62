import type { Context } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import { toolLimits } from '../../lib/limits/tools.ts'
import { version } from '../../lib/version.ts'
import type { Log } from '../../runtime/log.ts'

/** A request whose response has started. */
interface AnsweredRequest {
  readonly operation: string
  readonly method: string
  readonly status: number
  readonly requestId: string
  /** Unix milliseconds. */
  readonly startedAtMs: number
  readonly durationMs: number
  /** The client's header, which makes its span the parent. */
  readonly traceparent: string | null
}

/** Traces of the server itself: one span per request, exported in the background. */
export interface SelfTracing {
  record(request: AnsweredRequest): void
  /** Exports the remaining spans. */
  stop(): Promise<void>
}

/**
 * Exports spans to `<endpoint>/v1/traces` with OTLP over HTTP. Spans rejected by the collector are
 * dropped and logged. All dependencies are loaded here, so that a server without self-tracing does
 * not pay for them.
 */
export async function openSelfTracing(endpoint: string, log: Log): Promise<SelfTracing> {
  const [api, { BasicTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const { diag, DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, isSpanContextValid, trace } = api
  const warn = (message: string) => log.warn({ message }, 'own traces')
  const ignore = () => {}
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN)
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: toolLimits.ownTracesTimeoutMs,
  })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'tracelake', 'service.version': version }),
    // The exporter is typed against a newer major version of the same interface.
    spanProcessors: [new BatchSpanProcessor(exporter as SpanExporter)],
  })
  const tracer = provider.getTracer('tracelake', version)

  const parentOf = (traceparent: string | null): Context => {
    const [, traceId = '', spanId = '', flags = ''] =
      /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? []
    const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
    return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
  }
  return {
    record({ operation, method, status, requestId, startedAtMs, durationMs, traceparent }) {
      // If a server is its own collector, spans about ingesting spans would go in circles.
      if (operation.startsWith('otel.')) return
      const attributes = {
        'http.request.method': method,
        'http.response.status_code': status,
        'tracelake.request_id': requestId,
      }
      const options = { kind: SpanKind.SERVER, startTime: startedAtMs, attributes }
      const span = tracer.startSpan(operation, options, parentOf(traceparent))
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(startedAtMs + durationMs)
    },
    stop: () =>
      provider
        .shutdown()
        .catch((err: unknown) => log.warn({ err }, 'could not export the last traces of the server; they are lost')),
  }
}
