import type { Convention } from './convention.ts'

/** Spans of Gemini CLI, beyond the GenAI conventions: https://geminicli.com/docs/cli/telemetry */
export const geminiCli: Convention = {
  attributes: { tool_call_id: ['gen_ai.tool.call_id'] },
}

/**
 * Spans of Codex: https://github.com/openai/codex/tree/main/codex-rs/otel. A turn reports the usage
 * of all its requests, which report it again, without a model.
 */
export const codex: Convention = {
  onlyWith: 'codex',
  usage: {
    input_tokens: ['codex.turn.token_usage.input_tokens'],
    output_tokens: ['codex.turn.token_usage.output_tokens'],
    total_tokens: ['codex.turn.token_usage.total_tokens'],
    cache_read_input_tokens: ['codex.turn.token_usage.cached_input_tokens'],
    cache_creation_input_tokens: ['codex.turn.token_usage.cache_write_input_tokens'],
    reasoning_tokens: ['codex.turn.token_usage.reasoning_output_tokens'],
  },
  usageElsewhere: ['codex.usage.total_tokens'],
  // Elsewhere the number of a thread of the process.
  conversationIfUuid: ['thread.id'],
}

/** Most spans of Codex have no name with its prefix. */
export const codexSessions: Convention = {
  conversation: ['conversation.id'],
  attributes: { tool_name: ['tool_name'], tool_call_id: ['call_id'] },
}

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
