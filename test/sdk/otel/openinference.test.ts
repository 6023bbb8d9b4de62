import { afterAll, expect, test } from 'bun:test'
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai'
import OpenAI from 'openai'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import { freshProject, sharedServer } from '../../conformance/support/target.ts'
import { Tracing } from './tracing.ts'

const client = await sharedServer()
const stub = startStubModel({ answers: { 'How tall is it?': '330 m' } })
afterAll(() => stub.stop())

test('OpenAI’s client with OpenInference’s instrumentation arrives as readable calls', async () => {
  const project = freshProject(client)
  await using tracing = new Tracing(project)
  const instrumentation = new OpenAIInstrumentation({ tracerProvider: tracing.provider })
  instrumentation.manuallyInstrument(OpenAI as never)
  const openai = new OpenAI({ apiKey: 'sk-secret', baseURL: stub.url, maxRetries: 0 })
  await tracing.tracer.startActiveSpan('ask', async (span) => {
    span.setAttribute('ext.thread_id', 'talk').setAttribute('ext.is_turn', true)
    const answer = await openai.chat.completions.create({
      model: 'gpt-4o-mini',
      temperature: 0,
      messages: [{ role: 'user', content: 'How tall is it?' }],
    })
    expect(answer.choices[0]?.message.content).toBe('330 m')
    span.end()
  })
  await tracing.flush()

  const calls = await project.query({ include_costs: true })
  expect(calls).toHaveLength(2)
  const root = calls.find(({ parent_id }) => parent_id === null)!
  expect(root).toMatchObject({ thread_id: 'talk', turn_id: root.id })
  const chat = calls.find(({ parent_id }) => parent_id === root.id)!
  expect(chat).toMatchObject({
    attributes: { kind: 'llm', model: 'gpt-4o-mini', system: 'openai', model_parameters: { temperature: 0 } },
    inputs: { 'input.value': { messages: [{ role: 'user', content: 'How tall is it?' }] } },
    summary: { usage: { 'gpt-4o-mini': { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 } } },
  })
  expect(JSON.stringify(chat.output)).toContain('330 m')
  expect(chat.summary.ext['costs']).toMatchObject({ 'gpt-4o-mini': { prompt_tokens: 4 } })
  expect(JSON.stringify(calls)).not.toContain('sk-secret')
})
