import { startText } from '../text/start.ts'
import type { Snippet } from './snippet.ts'

/** Coding agents, whose telemetry is OpenTelemetry. */
export const codingAgents: Snippet = {
  id: 'coding-agents',
  name: 'Coding agents',
  needsWeave: false,
  steps: ({ url, key, projectId }) => [
    {
      title: startText.runBefore('Claude Code'),
      language: 'shell',
      code: `export CLAUDE_CODE_ENABLE_TELEMETRY=1 OTEL_LOGS_EXPORTER=otlp OTEL_METRICS_EXPORTER=otlp
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_ENDPOINT=${url}/otel
export OTEL_EXPORTER_OTLP_HEADERS="ext-api-key=${key},project_id=${projectId}"`,
    },
    {
      title: startText.addTo('~/.codex/config.toml'),
      language: 'toml',
      code: `[otel]
log_user_prompt = true

[otel.exporter.otlp-http]
endpoint = "${url}/otel/v1/logs"
protocol = "binary"
headers = { "ext-api-key" = "${key}", "project_id" = "${projectId}" }`,
    },
    {
      title: startText.askBack,
      language: 'shell',
      code: `claude mcp add --transport http tracelake "${url}/mcp?project=${projectId}" \\
  --header "Authorization: Bearer ${key}"`,
    },
  ],
}
