import type { Convention } from './convention.ts'

/**
 * Pydantic AI and Logfire, beyond the GenAI semantic conventions: https://ai.pydantic.dev/logfire/
 */
export const pydanticAi: Convention = {
  inputs: ['pydantic_ai.all_messages', 'all_messages_events', 'tool_arguments', 'request_data', 'raw_input'],
  output: ['final_result', 'tool_response', 'response_data'],
  usage: {
    cache_read_input_tokens: [
      'gen_ai.usage.details.cache_read_tokens',
      'gen_ai.usage.details.cached_tokens',
      // The usage as the provider sent it: the input tokens beside it include cached ones.
      'gen_ai.usage.raw.prompt_tokens_details.cached_tokens',
      'gen_ai.usage.raw.input_tokens_details.cached_tokens',
      'gen_ai.usage.raw.cache_read_input_tokens',
      'gen_ai.usage.raw.cached_content_token_count',
    ],
    cache_creation_input_tokens: [
      'gen_ai.usage.details.cache_write_tokens',
      'gen_ai.usage.raw.cache_creation_input_tokens',
    ],
    reasoning_tokens: [
      'gen_ai.usage.details.reasoning_tokens',
      'gen_ai.usage.raw.completion_tokens_details.reasoning_tokens',
      'gen_ai.usage.raw.output_tokens_details.reasoning_tokens',
      'gen_ai.usage.raw.thoughts_token_count',
    ],
  },
  attributes: {
    system: ['system_prompt'],
    model: ['model_name'],
    agent_name: ['agent_name'],
    model_parameters: ['model_request_parameters'],
    tags: ['logfire.tags'],
  },
}

/** The answer of a model in Logfire's instrumentation of the OpenAI Agents SDK. */
export const logfireAgents: Convention = { output: ['response'], onlyWith: 'raw_input' }
