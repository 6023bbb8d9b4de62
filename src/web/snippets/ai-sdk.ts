import { startText } from '../text/start.ts'
import type { Snippet } from './snippet.ts'

/** The AI SDK, through its OpenTelemetry package. */
export const aiSdk: Snippet = {
  id: 'ai-sdk',
  name: 'AI SDK',
  needsWeave: false,
  steps: ({ url, key, projectId }) => [
    {
      title: startText.install,
      language: 'shell',
      code: `npm install ai @ai-sdk/otel @ai-sdk/openai \\
  @opentelemetry/sdk-trace-node @opentelemetry/exporter-trace-otlp-proto`,
    },
    {
      title: startText.runThis,
      language: 'typescript',
      code: `import { openai } from '@ai-sdk/openai'
import { OpenTelemetry } from '@ai-sdk/otel'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { generateText } from 'ai'

const exporter = new OTLPTraceExporter({
  url: '${url}/otel/v1/traces',
  headers: { 'ext-api-key': '${key}', project_id: '${projectId}' },
})
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })

const { text } = await generateText({
  model: openai('gpt-4o'),
  prompt: 'How far is the moon?',
  telemetry: { integrations: [new OpenTelemetry({ tracer: provider.getTracer('ai') })] },
})
console.log(text)`,
    },
  ],
}
