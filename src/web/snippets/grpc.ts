import { startText } from '../text/start.ts'
import type { Snippet } from './snippet.ts'

/** Any OpenTelemetry SDK, over gRPC. */
export const grpc: Snippet = {
  id: 'grpc',
  name: 'OTLP gRPC',
  needsWeave: false,
  steps: ({ url, key, projectId }) => [
    {
      title: startText.pointAtGrpc,
      language: 'shell',
      code: `export OTEL_EXPORTER_OTLP_ENDPOINT=http://${new URL(url).hostname}:4317
export OTEL_EXPORTER_OTLP_PROTOCOL=grpc
export OTEL_EXPORTER_OTLP_HEADERS="ext-api-key=${key},project_id=${projectId}"`,
    },
  ],
}
