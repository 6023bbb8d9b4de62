import { startText } from '../text/start.ts'
import type { Snippet } from './snippet.ts'

const file = 'collector.yaml'

/** The OpenTelemetry collector, over HTTP only: the port for gRPC may be this server's. */
export const collector: Snippet = {
  id: 'collector',
  name: 'Collector',
  needsWeave: false,
  steps: ({ url, key, projectId }) => [
    {
      title: startText.save(file),
      language: 'yaml',
      code: `receivers:
  otlp:
    protocols:
      http:
processors:
  batch:
exporters:
  otlphttp/tracelake:
    traces_endpoint: ${url}/otel/v1/traces
    headers:
      ext-api-key: \${env:TRACELAKE_KEY}
      project_id: ${projectId}
service:
  pipelines:
    traces:
      receivers: [otlp]
      processors: [batch]
      exporters: [otlphttp/tracelake]`,
    },
    {
      title: startText.start,
      language: 'shell',
      code: `export TRACELAKE_KEY=${key}\notelcol --config ${file}`,
    },
  ],
}
