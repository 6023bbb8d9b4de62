import type { Client } from '../conformance/support/client.ts'
import { addDemoCalls } from '../docs/demo-calls.ts'

export const projects = ['demo/support-bot', 'views/mixed'] as const

const mixed = 'views/mixed'
const at = (second: number): string => new Date(Date.UTC(2026, 0, 5, 10) + second * 1000 + 123).toISOString()

/**
 * Calls, spans, evaluations, feedback and prices; some are deleted, changed, or end late, so that
 * files are rewritten.
 */
export async function fillForViews(client: Client): Promise<void> {
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await client.post<Record<string, unknown>>(path, body, { headers })
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status}: ${answer.text}`)
    return answer.json
  }
  await addDemoCalls(client)
  await post('/otel/v1/traces', spans, { project_id: mixed })
  await post(`/v2/${mixed}/calls/complete`, { batch: [...chats, ...usages, ...trials] })
  await post('/cost/create', { project_id: mixed, costs: { 'own-model': ownPrice, 'tiny-model': ownPrice } })
  await post('/call/start', { start: { ...begun('late-end', 40), inputs: { q: 1 } } })
  await post('/call/start', { start: { ...begun('never-ends', 41), inputs: {} } })
  await post('/feedback/batch/create', { batch: feedback })
  await post('/flush', {})
  // What follows changes rows that are in files.
  await post('/call/end', { end: { project_id: mixed, id: 'late-end', ended_at: at(49.5), output: 7, summary: {} } })
  await post('/calls/delete', { project_id: mixed, call_ids: ['deleted-1', 'deleted-2'] })
  await post('/call/update', { project_id: mixed, call_id: 'responses', display_name: 'renamed' })
  await post('/flush', {})
}

const begun = (id: string, second: number) => ({
  project_id: mixed,
  id,
  trace_id: `trace-${id}`,
  op_name: id,
  started_at: at(second),
  attributes: {},
})

const whole = (id: string, second: number, more: Record<string, unknown>) => ({
  ...begun(id, second),
  ended_at: at(second + 1.25),
  inputs: {},
  output: null,
  summary: {},
  ...more,
})

const ownPrice = { prompt_token_cost: 0.000003, completion_token_cost: 0.000015, cache_read_input_token_cost: 3e-7 }

const hello = [
  { role: 'developer', content: 'Be brief' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Two ' },
      { type: 'text', text: 'parts, it\'s \\ "fine"' },
    ],
  },
]

/** Chats in the forms of several providers. */
const chats = [
  whole('responses', 1, {
    op_name: 'openai.responses.create',
    thread_id: 'one',
    turn_id: 'responses',
    inputs: { model: 'gpt-4o', instructions: 'Answer in French', input: hello.slice(1) },
    output: { output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Oui' }] }] },
    summary: { usage: { 'gpt-4o': { input_tokens: 12, output_tokens: 3, total_tokens: 15 } } },
  }),
  whole('anthropic', 3, {
    op_name: 'anthropic.Messages.create',
    thread_id: 'one',
    turn_id: 'anthropic',
    inputs: { model: 'claude-3-5-sonnet-20241022', system: 'Be kind', messages: hello.slice(1) },
    output: { role: 'assistant', content: [{ type: 'text', text: 'Yes' }], stop_reason: 'end_turn' },
    summary: {
      usage: {
        'claude-3-5-sonnet-20241022': {
          input_tokens: 50,
          output_tokens: 7,
          cache_read_input_tokens: 1000,
          requests: 2,
        },
      },
    },
  }),
  whole('completions', 5, {
    op_name: `ext:///${mixed}/op/openai.chat.completions.create:abc`,
    inputs: { model: 'gpt-4o', messages: hello },
    output: { choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls: [toolCall('t1')] } }] },
    summary: { usage: { 'gpt-4o': { prompt_tokens: 30, completion_tokens: 8, total_tokens: 38 } } },
  }),
  whole('graph', 7, {
    op_name: 'graph.invoke',
    inputs: { messages: [{ role: 'human', content: 'Hi' }] },
    output: {
      messages: [
        { role: 'human', content: 'Hi' },
        { role: 'ai', content: 'Ho' },
      ],
    },
  }),
  whole('plain-answer', 9, { op_name: 'ask', inputs: { messages: hello.slice(1) }, output: 'Just text' }),
  whole('failed', 11, {
    op_name: 'openai.chat.completions.create',
    attributes: { kind: 'llm', model: 'gpt-4o', provider: 'openai' },
    inputs: { messages: [{ role: 'user', content: 'Hi' }] },
    exception: 'RateLimitError: slow down',
  }),
]

function toolCall(id: string) {
  return { id, type: 'function', function: { name: 'look_up', arguments: '{"n":1}' } }
}

const usages = [
  whole('two-models', 20, {
    summary: {
      usage: {
        'own-model': { prompt_tokens: 100, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 40 } },
        'tiny-model': { input_tokens: 5, output_tokens: 1, stated_cost: 0.25 },
        'nobody-knows': { input_tokens: 9, output_tokens: 1 },
      },
    },
  }),
  whole('above', 22, {
    trace_id: 'trace-below',
    op_name: 'Agent.run',
    attributes: { agent_name: 'planner', user_id: 'ada' },
    summary: { usage: { 'own-model': { prompt_tokens: 11, completion_tokens: 2 } } },
  }),
  whole('below', 22.1, {
    trace_id: 'trace-below',
    parent_id: 'above',
    op_name: 'call_model',
    summary: { usage: { 'own-model': { prompt_tokens: 11, completion_tokens: 2 } } },
  }),
  whole('a-tool', 22.3, {
    trace_id: 'trace-below',
    parent_id: 'above',
    op_name: 'lookup_tool',
    inputs: { n: 12345678901234567890n.toString(), key: 'a/b~c' },
    output: [1, { two: 'zwei' }],
    exception: 'KeyError',
  }),
  whole('encoded', 24, { op_name: `ext:///${mixed}/op/say%20hello+you:abc`, display_name: 'shown' }),
  whole('deleted-1', 26, { summary: { usage: { 'gpt-4o': { input_tokens: 1e6, output_tokens: 1e6 } } } }),
  whole('deleted-2', 27, {}),
]

const evaluationRef = `ext:///${mixed}/object/my-eval:v1`
const modelRef = `ext:///${mixed}/object/my-model:v2`

const trial = (number: number, scores: unknown, more: Record<string, unknown> = {}) =>
  whole(`trial-${number}`, 61 + number * 3, {
    trace_id: 'trace-eval',
    parent_id: 'eval',
    op_name: `ext:///${mixed}/op/Evaluation.predict_and_score:v1`,
    inputs: { self: evaluationRef, model: modelRef, example: { question: `Number ${number}`, n: number } },
    output: { output: `answer ${number}`, scores, model_latency: 0.5 + number },
    ...more,
  })

const trials = [
  whole('eval', 60, {
    trace_id: 'trace-eval',
    op_name: `ext:///${mixed}/op/Evaluation.evaluate:v1`,
    display_name: 'nightly',
    ended_at: at(90),
    inputs: { self: evaluationRef, model: modelRef },
    output: { exact: { mean: 0.5 } },
  }),
  trial(1, { exact: true, similar: 0.75, verdict: 'good' }),
  trial(2, { exact: false, 'with "quotes" / and ~?': { deep: [1, 2] } }),
  trial(3, {}, { exception: 'ValueError: no answer', output: null }),
  whole('predict-1', 64.1, {
    trace_id: 'trace-eval',
    parent_id: 'trial-1',
    op_name: `ext:///${mixed}/op/Model.predict:v1`,
    output: 'answer 1',
    summary: { usage: { 'own-model': { prompt_tokens: 20, completion_tokens: 5 } } },
  }),
  whole('late-score', 80, {
    trace_id: 'trace-eval',
    parent_id: 'trial-2',
    op_name: `ext:///${mixed}/op/judge.score:v1`,
    output: { stars: 4 },
  }),
]

const feedbackOn = (call: string, more: Record<string, unknown>) => ({
  project_id: mixed,
  ext_ref: `ext:///${mixed}/call/${call}`,
  creator: 'Ada',
  ...more,
})

const feedback = [
  feedbackOn('responses', { feedback_type: 'ext.reaction.1', payload: { emoji: '👍' } }),
  feedbackOn('responses', { feedback_type: 'ext.note.1', payload: { note: 'Nice "one"' } }),
  feedbackOn('anthropic', {
    feedback_type: 'ext.runnable.judge',
    runnable_ref: `ext:///${mixed}/object/judge:v1`,
    payload: { output: 0.125, reason: 'half right' },
  }),
  feedbackOn('completions', { feedback_type: 'thumbs', payload: { up: true, n: 1.5 } }),
]

const attributes = (entries: Record<string, string | number>) =>
  Object.entries(entries).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
  }))

const span = (number: number, name: string, parent: number | undefined, entries: Record<string, string | number>) => ({
  traceId: `${'a'.repeat(31)}1`,
  spanId: `00000000000000${String(number).padStart(2, '0')}`,
  ...(parent !== undefined && { parentSpanId: `00000000000000${String(parent).padStart(2, '0')}` }),
  name,
  startTimeUnixNano: `17676072${String(number).padStart(2, '0')}123456000`,
  endTimeUnixNano: `17676073${String(number).padStart(2, '0')}654321000`,
  attributes: attributes(entries),
})

const part = (content: string) => [{ type: 'text', content }]

/** Spans in the GenAI conventions. */
const spans = {
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            span(10, 'invoke_agent helper', undefined, {
              'gen_ai.operation.name': 'invoke_agent',
              'gen_ai.agent.name': 'helper',
              'gen_ai.conversation.id': 'session-1',
            }),
            span(11, 'chat gpt-4o', 10, {
              'gen_ai.operation.name': 'chat',
              'gen_ai.provider.name': 'openai',
              'gen_ai.request.model': 'gpt-4o',
              'gen_ai.response.model': 'gpt-4o-2024-08-06',
              'gen_ai.response.time_to_first_chunk': 0.42,
              'gen_ai.usage.input_tokens': 100,
              'gen_ai.usage.output_tokens': 20,
              'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: part('Rain?') }]),
              'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: part('Yes') }]),
            }),
            span(12, 'execute_tool weather', 10, {
              'gen_ai.operation.name': 'execute_tool',
              'gen_ai.tool.name': 'weather',
              'gen_ai.tool.call.id': 'call_7',
              'gen_ai.tool.call.arguments': '{"city":"Oslo"}',
              'gen_ai.tool.call.result': '"wet"',
            }),
          ],
        },
      ],
    },
  ],
}
