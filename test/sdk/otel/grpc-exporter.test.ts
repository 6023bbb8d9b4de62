import { expect, test } from 'bun:test'
import { Metadata } from '@grpc/grpc-js'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { freshProject, ownServer } from '../../conformance/support/target.ts'

const server = await ownServer()

test('spans of the exporter over gRPC become calls', async () => {
  const project = freshProject(server.client)
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${server.adminKey}`)
  metadata.set('project_id', project.id)
  const exporter = new OTLPTraceExporter({ url: `http://${server.grpcAddress}`, metadata, timeoutMillis: 60_000 })
  const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] })
  const tracer = provider.getTracer('a-library')
  for (let i = 0; i < 100; i++) {
    tracer.startSpan(`chat ${i % 3}`, { attributes: { 'gen_ai.request.model': 'gpt-4o', 'gen_ai.prompt': 'Hi' } }).end()
  }
  await provider.forceFlush()
  await provider.shutdown()
  const calls = await project.query()
  expect(calls).toHaveLength(100)
  expect(calls[0]!.inputs).toMatchObject({ 'gen_ai.prompt': 'Hi' })
})
