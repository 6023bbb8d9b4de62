import type { Convention } from './convention.ts'

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
