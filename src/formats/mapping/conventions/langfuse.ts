import type { Convention } from './convention.ts'

/** Langfuse's SDKs: https://langfuse.com/integrations/native/opentelemetry#property-mapping */
export const langfuse: Convention = {
  inputs: ['langfuse.observation.input', 'langfuse.trace.input'],
  output: ['langfuse.observation.output', 'langfuse.trace.output'],
  usage: {
    input_tokens: ['langfuse.observation.usage_details.input', 'langfuse.observation.usage_details.input_tokens'],
    output_tokens: ['langfuse.observation.usage_details.output', 'langfuse.observation.usage_details.output_tokens'],
    prompt_tokens: ['langfuse.observation.usage_details.prompt_tokens'],
    completion_tokens: ['langfuse.observation.usage_details.completion_tokens'],
    total_tokens: ['langfuse.observation.usage_details.total', 'langfuse.observation.usage_details.total_tokens'],
    cache_read_input_tokens: [
      'langfuse.observation.usage_details.cache_read_input_tokens',
      'langfuse.observation.usage_details.input_cached_tokens',
    ],
    cache_creation_input_tokens: ['langfuse.observation.usage_details.cache_creation_input_tokens'],
  },
  attributes: {
    kind: ['langfuse.observation.type'],
    model: ['langfuse.observation.model.name'],
    model_parameters: ['langfuse.observation.model.parameters'],
    prompt_name: ['langfuse.observation.prompt.name'],
    user_id: ['langfuse.user.id'],
    tags: ['langfuse.trace.tags'],
    metadata: ['langfuse.observation.metadata', 'langfuse.trace.metadata'],
  },
  conversation: ['langfuse.session.id'],
  call: {
    started_at: ['langfuse.startTime'],
    ended_at: ['langfuse.endTime'],
  },
}
