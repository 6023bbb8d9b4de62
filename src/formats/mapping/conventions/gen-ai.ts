import type { Convention } from './convention.ts'

/**
 * GenAI semantic conventions, including MCP and memory:
 * https://github.com/open-telemetry/semantic-conventions-genai
 */
export const genAi: Convention = {
  inputs: [
    'gen_ai.input.messages',
    'gen_ai.tool.call.arguments',
    'gen_ai.retrieval.query.text',
    'gen_ai.memory.query.text',
  ],
  output: ['gen_ai.output.messages', 'gen_ai.tool.call.result', 'gen_ai.retrieval.documents', 'gen_ai.memory.records'],
  usage: {
    input_tokens: ['gen_ai.usage.input_tokens'],
    output_tokens: ['gen_ai.usage.output_tokens'],
    cache_creation_input_tokens: ['gen_ai.usage.cache_creation.input_tokens'],
    cache_read_input_tokens: ['gen_ai.usage.cache_read.input_tokens'],
    reasoning_tokens: ['gen_ai.usage.reasoning.output_tokens'],
    text_input_tokens: ['gen_ai.usage.text.input_tokens'],
    image_input_tokens: ['gen_ai.usage.image.input_tokens'],
    audio_input_tokens: ['gen_ai.usage.audio.input_tokens'],
    video_input_tokens: ['gen_ai.usage.video.input_tokens'],
    text_output_tokens: ['gen_ai.usage.text.output_tokens'],
    image_output_tokens: ['gen_ai.usage.image.output_tokens'],
    audio_output_tokens: ['gen_ai.usage.audio.output_tokens'],
    video_output_tokens: ['gen_ai.usage.video.output_tokens'],
  },
  attributes: {
    system: ['gen_ai.system_instructions'],
    model: ['gen_ai.response.model', 'gen_ai.request.model'],
    provider: ['gen_ai.provider.name'],
    model_parameters: ['gen_ai.request'],
    agent_name: ['gen_ai.agent.name'],
    agent_id: ['gen_ai.agent.id'],
    agent_description: ['gen_ai.agent.description'],
    agent_version: ['gen_ai.agent.version'],
    workflow_name: ['gen_ai.workflow.name'],
    conversation_name: ['gen_ai.conversation.name'],
    operation_name: ['gen_ai.operation.name'],
    mcp_method: ['mcp.method.name'],
    output_type: ['gen_ai.output.type'],
    response_id: ['gen_ai.response.id'],
    finish_reasons: ['gen_ai.response.finish_reasons'],
    time_to_first_chunk: ['gen_ai.response.time_to_first_chunk'],
    tools: ['gen_ai.agent.tools', 'gen_ai.tool.definitions'],
    tool_name: ['gen_ai.tool.name'],
    tool_type: ['gen_ai.tool.type'],
    tool_call_id: ['gen_ai.tool.call.id'],
    tool_description: ['gen_ai.tool.description'],
    data_source_id: ['gen_ai.data_source.id'],
    prompt_name: ['gen_ai.prompt.name'],
    error_type: ['error.type'],
    user_id: ['user.id', 'enduser.id'],
  },
  conversation: ['gen_ai.conversation.id'],
}

/** The event whose attributes count like those of its span. */
export const operationDetails = 'gen_ai.client.inference.operation.details'
