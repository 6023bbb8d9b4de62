import type { Convention } from './convention.ts'

/** Types of spans, each with the names of its input and output. */
const spanTypes = [
  'agent_run',
  'model_generation',
  'model_step',
  'model_inference',
  'model_chunk',
  'tool_call',
  'mcp_tool_call',
  'workflow_run',
  'workflow_step',
  'workflow_conditional',
  'workflow_conditional_eval',
  'workflow_parallel',
  'workflow_loop',
  'workflow_sleep',
  'workflow_wait_event',
  'processor_run',
  'memory_operation',
  'generic',
]

/**
 * Mastra, beyond the GenAI semantic conventions:
 * https://mastra.ai/docs/observability/tracing/overview
 */
export const mastra: Convention = {
  inputs: [...spanTypes.map((type) => `mastra.${type}.input`), 'gen_ai.tool.input'],
  output: [...spanTypes.map((type) => `mastra.${type}.output`), 'gen_ai.tool.output'],
  usage: { cache_read_input_tokens: ['gen_ai.usage.cached_input_tokens'] },
  attributes: {
    kind: ['mastra.span.type'],
    user_id: ['mastra.metadata.userId', 'mastra.metadata.resourceId'],
    tags: ['mastra.tags'],
    metadata: ['mastra.metadata'],
  },
  conversation: ['mastra.metadata.threadId', 'mastra.metadata.sessionId'],
}
