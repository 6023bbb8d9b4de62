import { startText } from '../text/start.ts'
import { type Snippet, serveCommand } from './snippet.ts'

/** Not the usual one: that may be what is not free. */
const otherPort = 14317

/** Any OpenTelemetry SDK, over gRPC. */
export const grpc: Snippet = {
  id: 'grpc',
  name: 'OTLP gRPC',
  needsWeave: false,
  steps: (facts) => {
    const { url, grpcUrl, key, projectId } = facts
    if (grpcUrl === null)
      return [{ title: startText.grpcOff, language: 'shell', code: serveCommand(facts, `--grpc-port ${otherPort}`) }]
    const isElsewhere = isLoopback(grpcUrl) && !isLoopback(url)
    return [
      {
        title: isElsewhere ? startText.pointAtGrpcHere : startText.pointAtGrpc,
        language: 'shell',
        code: `export OTEL_EXPORTER_OTLP_ENDPOINT=${grpcUrl}
export OTEL_EXPORTER_OTLP_PROTOCOL=grpc
export OTEL_EXPORTER_OTLP_HEADERS="ext-api-key=${key},project_id=${projectId}"`,
      },
    ]
  },
}

const isLoopback = (url: string): boolean => /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname)
