import type { Convention } from './convention.ts'

/**
 * Spans of Claude Code, whose names have no prefix:
 * https://code.claude.com/docs/en/monitoring-usage#traces-beta
 */
export const claudeCode: Convention = {
  onlyWith: 'span',
  inputs: ['user_prompt', 'new_context', 'tool_input', 'full_command', 'file_path'],
  output: ['response.model_output', { event: 'tool.output', attribute: 'output' }],
  usage: {
    uncached_input_tokens: ['input_tokens'],
    output_tokens: ['output_tokens'],
    cache_read_input_tokens: ['cache_read_tokens'],
    cache_creation_input_tokens: ['cache_creation_tokens'],
  },
  attributes: {
    kind: ['span.type'],
    tool_name: ['tool_name'],
    tool_call_id: ['tool_use_id'],
  },
}
