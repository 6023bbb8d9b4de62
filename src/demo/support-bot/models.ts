import { estimateTokens, type TokenUsage } from '../traces/call-items.ts'
import type { SeededRandom } from '../traces/seeded-random.ts'

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string
  readonly tool_calls?: readonly unknown[]
  readonly tool_call_id?: string
}

/**
 * A chat model as its vendor's client is traced: op name, shape of the answer, names of the token
 * counts.
 */
export interface ChatModel {
  readonly name: string
  readonly opName: string
  answer(id: string, text: string, usage: TokenUsage): unknown
  usage(messages: readonly ChatMessage[], text: string, random: SeededRandom): TokenUsage
}

/** Models that the bot answers with. */
export const answeringModels: readonly ChatModel[] = [
  openai('gpt-4o'),
  openai('gpt-4o-mini'),
  anthropic('claude-sonnet-4-5'),
]

/** The model that looks at answers before they leave. */
export const guardingModel: ChatModel = openai('gpt-4o-mini')

export const embeddingModel = 'text-embedding-3-small'

function openai(name: string): ChatModel {
  return {
    name,
    opName: 'openai.chat.completions.create',
    answer: (id, text, usage) => ({
      id: `chatcmpl-${id}`,
      object: 'chat.completion',
      model: name,
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage,
    }),
    usage: (messages, text, random) => {
      const { prompt, completion, cached } = count(messages, text, random)
      return {
        requests: 1,
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: prompt + completion,
        cache_read_input_tokens: cached,
      }
    },
  }
}

function anthropic(name: string): ChatModel {
  return {
    name,
    opName: 'anthropic.messages.create',
    answer: (id, text, usage) => ({
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: name,
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage,
    }),
    usage: (messages, text, random) => {
      const { prompt, completion, cached } = count(messages, text, random)
      // This vendor counts cached tokens beside the input, not inside it.
      return {
        requests: 1,
        input_tokens: prompt - cached,
        output_tokens: completion,
        cache_read_input_tokens: cached,
        cache_creation_input_tokens: cached > 0 ? 0 : prompt,
      }
    },
  }
}

/** A prompt's beginning is found in the vendor's cache two times out of five. */
function count(messages: readonly ChatMessage[], text: string, random: SeededRandom) {
  const prompt = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0)
  const cached = random.chance(0.4) ? Math.floor(prompt * 0.6) : 0
  return { prompt, completion: estimateTokens(text), cached }
}
