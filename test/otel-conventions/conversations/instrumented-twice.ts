import type { Conversation, FrameworkSpan } from './conversation.ts'

const provider = { input: 120, output: 20, cached: 0 } as const
const model = 'claude-sonnet-4-5'

const root: FrameworkSpan = { id: 'a', name: 'answer', start: 0, end: 9, attributes: {} }

/** The span that Anthropic's Python package 2.12 sends itself. */
const ofPackage = (parent: string, start: number): FrameworkSpan => ({
  ...{ id: 'c', parent, name: 'anthropic.messages.create', start, end: 4 },
  attributes: {
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': model,
    'gen_ai.response.model': model,
    'gen_ai.response.id': 'msg_1',
    'gen_ai.usage.input_tokens': 120,
    'gen_ai.usage.cache_write.input_tokens': 0,
    'gen_ai.usage.cache_read.input_tokens': 0,
    'gen_ai.usage.output_tokens': 20,
  },
})

const ofOpenInference = {
  'openinference.span.kind': 'LLM',
  'llm.provider': 'anthropic',
  'llm.model_name': model,
  'output.value': '{"id":"msg_1","content":[{"text":"21 degrees","type":"text"}],"model":"claude-sonnet-4-5"}',
  'llm.token_count.prompt': 120,
  'llm.token_count.completion': 20,
  'llm.token_count.total': 140,
}

/** OpenLLMetry adds the output tokens that a stream begins with to those that it ends with. */
const ofOpenLlmetry = (output: number) => ({
  'gen_ai.provider.name': 'anthropic',
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': model,
  'gen_ai.response.model': model,
  'gen_ai.response.id': 'msg_1',
  'gen_ai.usage.input_tokens': 120,
  'gen_ai.usage.output_tokens': output,
  'gen_ai.usage.total_tokens': 120 + output,
  'gen_ai.usage.cache_read.input_tokens': 0,
  'gen_ai.usage.cache_creation.input_tokens': 0,
})

/** Requests of which an instrumentation and the package of the provider tell the same. */
export const twiceInstrumented: Readonly<Record<string, Conversation>> = {
  'Anthropic 2.12 inside of OpenInference': {
    model,
    provider,
    spans: [
      root,
      { ...{ id: 'b', parent: 'a', name: 'messages.create', start: 1, end: 5 }, attributes: ofOpenInference },
      ofPackage('b', 2),
    ],
  },
  'Anthropic 2.12 beside a stream of OpenInference': {
    model,
    provider,
    spans: [
      root,
      { ...{ id: 'b', parent: 'a', name: 'messages.stream', start: 1, end: 5 }, attributes: ofOpenInference },
      ofPackage('a', 2),
    ],
  },
  'Anthropic 2.12 beside OpenLLMetry': {
    model,
    provider,
    spans: [
      root,
      { ...{ id: 'b', parent: 'a', name: 'anthropic.chat', start: 1, end: 5 }, attributes: ofOpenLlmetry(20) },
      ofPackage('a', 2),
    ],
  },
  'Anthropic 2.12 beside a stream of OpenLLMetry, which counts a token more': {
    model,
    provider,
    spans: [
      root,
      { ...{ id: 'b', parent: 'a', name: 'anthropic.chat', start: 1, end: 5 }, attributes: ofOpenLlmetry(21) },
      ofPackage('a', 2),
    ],
  },
  'Anthropic 2.12 alone': { model, provider, spans: [root, ofPackage('a', 2)] },
}
