import type { Convention } from './convention.ts'

/**
 * Pydantic AI and Logfire, beyond the GenAI semantic conventions: https://ai.pydantic.dev/logfire/
 */
export const pydanticAi: Convention = {
  inputs: ['pydantic_ai.all_messages', 'all_messages_events', 'tool_arguments', 'request_data'],
  output: ['final_result', 'tool_response', 'response_data'],
  attributes: {
    system: ['system_prompt'],
    model: ['model_name'],
    agent_name: ['agent_name'],
    model_parameters: ['model_request_parameters'],
  },
}
