import { describe, expect, test } from 'bun:test'
import { LegacyOpenTelemetry, OpenTelemetry } from '@ai-sdk/otel'
import { generateText, jsonSchema, stepCountIs, type Telemetry, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import type { CallRecord } from '../../conformance/support/call-shapes.ts'
import { freshProject, sharedServer } from '../../conformance/support/target.ts'
import { Tracing } from './tracing.ts'

const client = await sharedServer()

type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>

const usage = (input: number, output: number, cacheRead = 0): Generated['usage'] => ({
  inputTokens: { total: input, noCache: input - cacheRead, cacheRead, cacheWrite: undefined },
  outputTokens: { total: output, text: output, reasoning: undefined },
})

/** Calls the tool first, then answers. */
const model = () =>
  new MockLanguageModelV4({
    provider: 'openai.chat',
    modelId: 'gpt-4o',
    doGenerate: [
      {
        content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: '{"city":"Oslo"}' }],
        finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
        usage: usage(20, 5),
        warnings: [],
      },
      {
        content: [{ type: 'text', text: 'It rains.' }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: usage(40, 7, 16),
        warnings: [],
      },
    ],
  })

async function callsWith(make: (tracing: Tracing) => Telemetry): Promise<CallRecord[]> {
  const project = freshProject(client)
  await using tracing = new Tracing(project)
  const answer = await generateText({
    model: model(),
    prompt: 'How is the weather in Oslo?',
    stopWhen: stepCountIs(3),
    tools: {
      weather: tool({
        description: 'Weather of a city',
        inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
        execute: async () => ({ sky: 'grey' }),
      }),
    },
    telemetry: { integrations: [make(tracing)], functionId: 'weather-bot' },
  })
  expect(answer.text).toBe('It rains.')
  await tracing.flush()
  return await project.query({ include_costs: true })
}

describe.each([
  ['the GenAI semantic conventions', ({ tracer }: Tracing) => new OpenTelemetry({ tracer })],
  ['its own attributes', ({ tracer }: Tracing) => new LegacyOpenTelemetry({ tracer })],
] as const)('the AI SDK with %s', (_name, make) => {
  test('arrives as a tree of readable calls', async () => {
    const calls = await callsWith(make)
    const root = calls.find(({ parent_id }) => parent_id === null)!
    expect(new Set(calls.map(({ trace_id }) => trace_id))).toEqual(new Set([root.trace_id]))
    expect(JSON.stringify(root.inputs)).toContain('How is the weather in Oslo?')
    expect(JSON.stringify(root.output)).toContain('It rains.')
    expect(root.attributes['model']).toBe('gpt-4o')

    const steps = calls.filter(({ summary, parent_id }) => parent_id !== null && 'usage' in summary)
    expect(steps).toHaveLength(2)
    const last = steps.find(({ output }) => JSON.stringify(output).includes('It rains.'))!
    const used = (last.summary['usage'] as Record<string, Record<string, number>>)['gpt-4o']
    expect(used).toMatchObject({ input_tokens: 40, output_tokens: 7, total_tokens: 47, cache_read_input_tokens: 16 })
    const costs = last.summary.ext['costs'] as Record<string, Record<string, number>>
    expect(costs['gpt-4o']!['prompt_tokens_total_cost']).toBeCloseTo(24 * 2.5e-6, 9)

    const ofTool = calls.find(({ attributes }) => attributes['tool_name'] === 'weather')!
    expect(JSON.stringify(ofTool.inputs)).toContain('Oslo')
    expect(JSON.stringify(ofTool.output)).toContain('grey')
    expect(calls.some(({ id }) => id === ofTool.parent_id)).toBe(true)
  })
})
