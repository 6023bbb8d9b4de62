import { context, type Tracer, trace } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { Project } from '../../conformance/support/project.ts'

export type Exporter = 'protobuf' | 'json'

/** Tracing set up as documented for applications, exporting to a project. */
export class Tracing implements AsyncDisposable {
  readonly provider: NodeTracerProvider
  readonly tracer: Tracer

  constructor(project: Project, options: { exporter?: Exporter; resource?: Record<string, string> } = {}) {
    const { exporter = 'protobuf', resource } = options
    this.provider = new NodeTracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'sdk-test', ...resource }),
      spanProcessors: [new BatchSpanProcessor(exporterTo(project, exporter, resource === undefined))],
    })
    this.provider.register()
    this.tracer = this.provider.getTracer('test')
  }

  /** Sends pending spans. */
  flush(): Promise<void> {
    return this.provider.forceFlush()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.provider.shutdown()
    trace.disable()
    context.disable()
  }
}

function exporterTo(project: Project, exporter: Exporter, namesProject: boolean): SpanExporter {
  const headers = {
    'wandb-api-key': project.client.key,
    ...(namesProject && { project_id: project.id }),
  }
  const url = `${project.client.address}/otel/v1/traces`
  return exporter === 'json'
    ? (new JsonExporter({ url, headers }) as SpanExporter)
    : (new ProtobufExporter({ url, headers, compression: 'gzip' as never }) as SpanExporter)
}
