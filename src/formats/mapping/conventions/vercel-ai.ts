import type { Convention } from './convention.ts'

/** Vercel's AI SDK, versions 3 to 7: https://ai-sdk.dev/docs/ai-sdk-core/telemetry#span-details */
export const vercelAi: Convention = {
  inputs: ['ai.prompt', 'ai.toolCall.args', 'ai.value', 'ai.values', 'ai.documents'],
  output: ['ai.response', 'ai.result', 'ai.toolCall.result', 'ai.embedding', 'ai.embeddings', 'ai.ranking'],
  usage: {
    input_tokens: ['ai.usage.inputTokens', 'ai.usage.tokens'],
    output_tokens: ['ai.usage.outputTokens'],
    prompt_tokens: ['ai.usage.promptTokens'],
    completion_tokens: ['ai.usage.completionTokens'],
    total_tokens: ['ai.usage.totalTokens'],
    cache_read_input_tokens: ['ai.usage.inputTokenDetails.cacheReadTokens', 'ai.usage.cachedInputTokens'],
    cache_creation_input_tokens: ['ai.usage.inputTokenDetails.cacheWriteTokens'],
    reasoning_tokens: ['ai.usage.outputTokenDetails.reasoningTokens', 'ai.usage.reasoningTokens'],
  },
  attributes: {
    model: ['ai.model.id'],
    provider: ['ai.model.provider'],
    operation_name: ['ai.operationId'],
    model_parameters: ['ai.settings'],
    finish_reasons: ['ai.response.finishReason'],
    tools: ['ai.prompt.tools'],
    tool_name: ['ai.toolCall.name'],
    tool_call_id: ['ai.toolCall.id'],
    user_id: ['ai.telemetry.metadata.userId'],
    tags: ['ai.telemetry.metadata.tags'],
    metadata: ['ai.telemetry.metadata'],
  },
  conversation: ['ai.telemetry.metadata.sessionId', 'ai.telemetry.metadata.threadId'],
}
