import { startText } from '../text/start.ts'
import { aiSdk } from './ai-sdk.ts'
import { codingAgents } from './coding-agents.ts'
import { collector } from './collector.ts'
import { grpc } from './grpc.ts'
import type { Snippet, SnippetFacts } from './snippet.ts'

const weaveVariables = ({ url, key }: SnippetFacts): string => `export WANDB_BASE_URL=${url} WF_TRACE_SERVER_URL=${url}
export WANDB_API_KEY=${key}`

const otelVariables = ({ url, key, projectId }: SnippetFacts): string =>
  `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${url}/otel/v1/traces
export OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_TRACES_HEADERS="ext-api-key=${key},project_id=${projectId}"`

const python: Snippet = {
  id: 'python',
  name: 'Python',
  needsWeave: true,
  steps: (facts) => [
    { title: startText.install, language: 'shell', code: `pip install weave\n${weaveVariables(facts)}` },
    {
      title: startText.runThis,
      language: 'python',
      code: `import weave

weave.init("${facts.projectId}")

@weave.op
def answer(question: str) -> dict:
    return {"text": "About 384,400 km."}

answer("How far is the moon?")`,
    },
  ],
}

const typescript: Snippet = {
  id: 'typescript',
  name: 'TypeScript',
  needsWeave: true,
  steps: (facts) => [
    { title: startText.install, language: 'shell', code: `npm install weave\n${weaveVariables(facts)}` },
    {
      title: startText.runThis,
      language: 'typescript',
      code: `import * as weave from 'weave'

await weave.init('${facts.projectId}')
const answer = weave.op(async function answer(question: string) {
  return { text: 'About 384,400 km.' }
})
await answer('How far is the moon?')`,
    },
  ],
}

const opentelemetry: Snippet = {
  id: 'otel',
  name: 'OpenTelemetry',
  needsWeave: false,
  steps: (facts) => [
    { title: startText.pointAt, language: 'shell', code: otelVariables(facts) },
    {
      title: startText.runThis,
      language: 'shell',
      code: `pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http
python - <<'EOF'
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter()))
with provider.get_tracer("hello").start_as_current_span("answer") as span:
    span.set_attribute("gen_ai.request.model", "gpt-4o")
EOF`,
    },
  ],
}

const curl: Snippet = {
  id: 'curl',
  name: 'curl',
  needsWeave: false,
  steps: ({ url, key, projectId }) => [
    {
      title: startText.runShell,
      language: 'shell',
      code: `curl -sS ${url}/otel/v1/traces -u "api:${key}" \\
  -H 'content-type: application/json' -H 'project_id: ${projectId}' \\
  -d '{"resourceSpans": [{"scopeSpans": [{"spans": [{
    "name": "chat gpt-4o",
    "traceId": "'$(openssl rand -hex 16)'",
    "spanId": "'$(openssl rand -hex 8)'",
    "startTimeUnixNano": "'$(date +%s)'000000000",
    "endTimeUnixNano": "'$(date +%s)'250000000",
    "attributes": [
      {"key": "gen_ai.request.model", "value": {"stringValue": "gpt-4o"}},
      {"key": "gen_ai.input.messages", "value": {"stringValue":
        "[{\\"role\\": \\"user\\", \\"content\\": \\"How far is the moon?\\"}]"}},
      {"key": "gen_ai.output.messages", "value": {"stringValue":
        "[{\\"role\\": \\"assistant\\", \\"content\\": \\"About 384,400 km.\\"}]"}},
      {"key": "gen_ai.usage.input_tokens", "value": {"intValue": 12}},
      {"key": "gen_ai.usage.output_tokens", "value": {"intValue": 9}}
    ]}]}]}]}'`,
    },
  ],
}

/** The ways to send traces; those that work with the server's dialect come first. */
export const snippetsFor = (dialect: 'ext' | 'weave' | undefined): readonly Snippet[] =>
  dialect === 'weave'
    ? [python, typescript, codingAgents, opentelemetry, grpc, aiSdk, collector, curl]
    : [curl, codingAgents, opentelemetry, grpc, aiSdk, collector, python, typescript]
