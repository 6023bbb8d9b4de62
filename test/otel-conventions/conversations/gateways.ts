import type { Conversation } from './conversation.ts'

const client = (input: number, output: number) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.response.id': 'chatcmpl-1',
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
})

/** As LiteLLM's proxy writes it. */
const gateway = (input: number, output: number, id: string) => ({
  'gen_ai.system': 'openai',
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.response.model': 'gpt-4o',
  'gen_ai.response.id': id,
  'llm.request.type': 'completion',
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
  'gen_ai.usage.total_tokens': input + output,
})

/** Requests that pass a gateway which continues the trace of its client. */
export const gatewayConversations: Readonly<Record<string, Conversation>> = {
  'a gateway': {
    model: 'gpt-4o',
    provider: { input: 120, output: 20, cached: 0 },
    spans: [
      { ...{ id: 'a', name: 'answer', start: 0, end: 9 }, attributes: {} },
      { ...{ id: 'b', parent: 'a', name: 'chat gpt-4o', start: 1, end: 8 }, attributes: client(120, 20) },
      {
        ...{ id: 'c', parent: 'b', name: 'litellm_request', start: 2, end: 7 },
        attributes: gateway(120, 20, 'chatcmpl-1'),
      },
      { ...{ id: 'd', parent: 'c', name: 'raw_gen_ai_request', start: 3, end: 6 }, attributes: {} },
    ],
  },
  'a gateway that retries, where the provider charges for both answers': {
    model: 'gpt-4o',
    provider: { input: 240, output: 25, cached: 0 },
    spans: [
      { ...{ id: 'a', name: 'answer', start: 0, end: 9 }, attributes: {} },
      { ...{ id: 'b', parent: 'a', name: 'chat gpt-4o', start: 1, end: 8 }, attributes: client(120, 20) },
      {
        ...{ id: 'c', parent: 'b', name: 'litellm_request', start: 2, end: 4 },
        attributes: gateway(120, 5, 'chatcmpl-0'),
      },
      {
        ...{ id: 'd', parent: 'b', name: 'litellm_request', start: 5, end: 7 },
        attributes: gateway(120, 20, 'chatcmpl-1'),
      },
    ],
  },
  'a gateway whose first attempt fails': {
    model: 'gpt-4o',
    provider: { input: 120, output: 20, cached: 0 },
    spans: [
      { ...{ id: 'a', name: 'answer', start: 0, end: 9 }, attributes: {} },
      { ...{ id: 'b', parent: 'a', name: 'chat gpt-4o', start: 1, end: 8 }, attributes: client(120, 20) },
      { ...{ id: 'c', parent: 'b', name: 'litellm_request', start: 2, end: 4 }, attributes: { 'error.type': '429' } },
      {
        ...{ id: 'd', parent: 'b', name: 'litellm_request', start: 5, end: 7 },
        attributes: gateway(120, 20, 'chatcmpl-1'),
      },
    ],
  },
}
