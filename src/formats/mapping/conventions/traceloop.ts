import type { Convention } from './convention.ts'

/**
 * Traceloop's OpenLLMetry, beyond the GenAI semantic conventions:
 * https://www.traceloop.com/docs/openllmetry
 */
export const traceloop: Convention = {
  inputs: ['traceloop.entity.input'],
  output: ['traceloop.entity.output'],
  usage: {
    total_tokens: ['llm.usage.total_tokens', 'gen_ai.usage.total_tokens'],
    cache_read_input_tokens: ['gen_ai.usage.cache_read_input_tokens'],
    cache_creation_input_tokens: [
      'gen_ai.usage.cache_creation_input_tokens',
      // Strands Agents, and the vendor's Python SDK
      'gen_ai.usage.cache_write_input_tokens',
      'gen_ai.usage.cache_write.input_tokens',
    ],
    reasoning_tokens: ['gen_ai.usage.reasoning_tokens'],
  },
  attributes: {
    kind: ['traceloop.span.kind'],
    tools: ['llm.request.functions'],
    workflow_name: ['traceloop.workflow.name'],
    user_id: ['traceloop.association.properties.user_id'],
    metadata: ['traceloop.association.properties'],
  },
  conversation: [
    'traceloop.association.properties.session_id',
    'traceloop.association.properties.thread_id',
    'traceloop.association.properties.conversation_id',
  ],
}
