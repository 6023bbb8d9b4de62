import { estimateTokens } from '../../src/demo/traces/call-items.ts'
import type { AssistantMessage, Message } from './conversation.ts'

/** The model that wrote the recorded answers. */
export const model = 'gpt-4o'

/**
 * A recorded answer in the form of an OpenAI chat completion. The recording counts no tokens; they
 * are estimated.
 */
export interface Completion {
  readonly id: string
  readonly object: 'chat.completion'
  /** Unix seconds. */
  readonly created: number
  readonly model: string
  readonly choices: readonly [
    { readonly index: 0; readonly message: AssistantMessage; readonly finish_reason: 'stop' | 'tool_calls' },
  ]
  readonly usage: {
    readonly prompt_tokens: number
    readonly completion_tokens: number
    readonly total_tokens: number
  }
}

export function completionOf(
  id: string,
  messages: readonly Message[],
  message: AssistantMessage,
  createdMs: number,
): Completion {
  const promptTokens = messages.reduce((sum, each) => sum + tokensOf(each), 0)
  const completionTokens = tokensOf(message)
  return {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: Math.floor(createdMs / 1000),
    model,
    choices: [{ index: 0, message, finish_reason: message.tool_calls?.length ? 'tool_calls' : 'stop' }],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  }
}

function tokensOf(message: Message): number {
  const toolCalls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
  const called = toolCalls.map(({ function: { name, arguments: words } }) => name + words).join('')
  return estimateTokens((message.content ?? '') + called)
}
