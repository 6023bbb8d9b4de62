/** Exports a span with the settings in the environment, as an instrumented program does. */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc'
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'

const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter())] })
provider.getTracer('a-library').startSpan('from-the-guide').end()
await provider.forceFlush()
await provider.shutdown()
