import type { Convention } from './convention.ts'

/** Braintrust: https://www.braintrust.dev/docs/integrations/sdk-integrations/opentelemetry */
export const braintrust: Convention = {
  inputs: ['braintrust.input_json', 'braintrust.input'],
  output: ['braintrust.output_json', 'braintrust.output'],
  usage: {
    prompt_tokens: ['braintrust.metrics.prompt_tokens'],
    completion_tokens: ['braintrust.metrics.completion_tokens'],
    total_tokens: ['braintrust.metrics.tokens'],
    cache_read_input_tokens: ['braintrust.metrics.prompt_cached_tokens'],
    cache_creation_input_tokens: ['braintrust.metrics.prompt_cache_creation_tokens'],
    reasoning_tokens: ['braintrust.metrics.completion_reasoning_tokens'],
  },
  attributes: {
    kind: ['braintrust.span_attributes.type'],
    model: ['braintrust.metadata.model'],
    provider: ['braintrust.metadata.provider'],
    time_to_first_chunk: ['braintrust.metrics.time_to_first_token'],
    tags: ['braintrust.tags'],
    metadata: ['braintrust.metadata'],
    user_id: ['braintrust.metadata.user_id'],
  },
}
