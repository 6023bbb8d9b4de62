import { expect, test } from 'bun:test'
import { SpanStatusCode, trace } from '@opentelemetry/api'
import { freshProject, sharedServer } from '../../conformance/support/target.ts'
import { type Exporter, Tracing } from './tracing.ts'

const client = await sharedServer()

test.each<Exporter>(['protobuf', 'json'])('what the %s exporter sends arrives as calls', async (exporter) => {
  const project = freshProject(client)
  await using tracing = new Tracing(project, { exporter })
  tracing.tracer.startActiveSpan('answer', { attributes: { 'session.id': 'talk-1' } }, (root) => {
    root.setAttribute('input.value', JSON.stringify({ question: 'How far is the moon?' }))
    tracing.tracer.startActiveSpan('chat gpt-4o', (chat) => {
      chat.setAttributes({
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.request.temperature': 0.25,
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.output_tokens': 9,
        'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"How far?"}]}]',
      })
      chat.addEvent('token', { index: 1 })
      chat.end()
    })
    tracing.tracer.startActiveSpan('lookup', (lookup) => {
      lookup.recordException(new Error('no such table'))
      lookup.setStatus({ code: SpanStatusCode.ERROR, message: 'no such table' })
      lookup.end()
    })
    root.setAttribute('output.value', 'About 384,400 km.')
    root.end()
  })
  await tracing.flush()

  const calls = await project.query({ include_costs: true })
  const [root, chat, lookup] = ['answer', 'chat-gpt-4o', 'lookup'].map(
    (name) => calls.find(({ summary }) => summary.ext['trace_name'] === name)!,
  )
  expect(calls).toHaveLength(3)
  expect(root).toMatchObject({
    parent_id: null,
    thread_id: 'talk-1',
    turn_id: root!.id,
    inputs: { 'input.value': { question: 'How far is the moon?' } },
    output: { 'output.value': 'About 384,400 km.' },
  })
  expect(chat).toMatchObject({
    parent_id: root!.id,
    trace_id: root!.trace_id,
    attributes: {
      model: 'gpt-4o',
      finish_reasons: ['stop'],
      model_parameters: { temperature: 0.25 },
      otel_span: { events: [{ name: 'token', attributes: { index: 1 } }] },
    },
    inputs: { 'gen_ai.input.messages': [{ role: 'user' }] },
    summary: { usage: { 'gpt-4o': { input_tokens: 12, output_tokens: 9, total_tokens: 21 } } },
  })
  expect(chat!.summary.ext['costs']).toMatchObject({ 'gpt-4o': { prompt_tokens: 12 } })
  expect(lookup).toMatchObject({ exception: 'no such table', summary: { ext: { status: 'error' } } })
})

test('the resource names the project', async () => {
  const project = freshProject(client)
  await using tracing = new Tracing(project, {
    resource: { 'wandb.entity': project.entity, 'wandb.project': project.name },
  })
  const span = trace.getTracer('global').startSpan('work')
  span.end()
  await tracing.flush()
  expect(await project.query()).toHaveLength(1)
})
