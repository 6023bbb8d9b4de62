import type { Convention } from './convention.ts'

/**
 * LangSmith, beyond the GenAI semantic conventions:
 * https://docs.langchain.com/langsmith/trace-with-opentelemetry
 */
export const langSmith: Convention = {
  usage: {
    cache_read_input_tokens: ['gen_ai.usage.input_token_details.cache_read'],
    cache_creation_input_tokens: ['gen_ai.usage.input_token_details.cache_creation'],
    reasoning_tokens: ['gen_ai.usage.output_token_details.reasoning'],
  },
  attributes: {
    kind: ['langsmith.span.kind'],
    model: ['langsmith.metadata.ls_model_name'],
    provider: ['langsmith.metadata.ls_provider'],
    user_id: ['langsmith.metadata.user_id'],
    tags: ['langsmith.span.tags'],
    metadata: ['langsmith.metadata'],
  },
  conversation: ['langsmith.metadata.thread_id', 'langsmith.metadata.session_id', 'langsmith.metadata.conversation_id'],
}
