import type { Convention } from './convention.ts'

/** GenAI semantic conventions: https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/ */
export const genAi: Convention = {
  inputs: [
    'gen_ai.input.messages',
    { event: 'gen_ai.client.inference.operation.details', attribute: 'gen_ai.input.messages' },
    'gen_ai.tool.call.arguments',
    'gen_ai.retrieval.query.text',
  ],
  output: [
    'gen_ai.output.messages',
    { event: 'gen_ai.client.inference.operation.details', attribute: 'gen_ai.output.messages' },
    'gen_ai.tool.call.result',
    'gen_ai.retrieval.documents',
  ],
  usage: {
    input_tokens: ['gen_ai.usage.input_tokens'],
    output_tokens: ['gen_ai.usage.output_tokens'],
    cache_creation_input_tokens: ['gen_ai.usage.cache_creation.input_tokens'],
    cache_read_input_tokens: ['gen_ai.usage.cache_read.input_tokens'],
    reasoning_tokens: ['gen_ai.usage.reasoning.output_tokens'],
  },
  attributes: {
    system: ['gen_ai.system_instructions'],
    model: ['gen_ai.response.model', 'gen_ai.request.model'],
    provider: ['gen_ai.provider.name'],
    model_parameters: ['gen_ai.request'],
    agent_name: ['gen_ai.agent.name'],
    agent_id: ['gen_ai.agent.id'],
    operation_name: ['gen_ai.operation.name'],
    response_id: ['gen_ai.response.id'],
    finish_reasons: ['gen_ai.response.finish_reasons'],
    tools: ['gen_ai.agent.tools', 'gen_ai.tool.definitions'],
    tool_name: ['gen_ai.tool.name'],
  },
  conversation: ['gen_ai.conversation.id'],
}
