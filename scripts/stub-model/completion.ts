import type { StubAnswer } from './answer.ts'
import type { ChatRequest } from './chat-request.ts'

const created = 1_735_689_600
const identity = { id: 'chatcmpl-stub', created, system_fingerprint: 'stub' }

/** The answer as one `chat.completion` object. */
export const completionOf = (request: ChatRequest, answer: StubAnswer) => ({
  ...identity,
  object: 'chat.completion',
  model: request.model,
  choices: indexes(request).map((index) => ({
    index,
    message: {
      role: 'assistant',
      content: answer.text,
      refusal: null,
      ...(answer.toolCalls.length > 0 && {
        tool_calls: answer.toolCalls.map(({ id, ...call }) => ({ id, type: 'function', function: call })),
      }),
    },
    logprobs: null,
    finish_reason: answer.finishReason,
  })),
  usage: answer.usage,
})

/**
 * The answer as `chat.completion.chunk` objects: the role, a chunk a word, the reason to end, and
 * usage where it is asked for.
 */
export function* chunksOf(request: ChatRequest, answer: StubAnswer): Generator<object> {
  const chunk = (choices: readonly object[], more: object = {}) => ({
    ...identity,
    object: 'chat.completion.chunk',
    model: request.model,
    choices,
    ...more,
  })
  for (const index of indexes(request)) {
    const piece = (delta: object, reason: string | null = null) =>
      chunk([{ index, delta, logprobs: null, finish_reason: reason }])
    yield piece({ role: 'assistant', content: answer.text === null ? null : '' })
    for (const content of answer.text?.match(/\s*\S+/g) ?? []) yield piece({ content })
    for (const [at, { id, name, arguments: args }] of answer.toolCalls.entries()) {
      yield piece({ tool_calls: [{ index: at, id, type: 'function', function: { name, arguments: '' } }] })
      const middle = Math.ceil(args.length / 2)
      for (const part of [args.slice(0, middle), args.slice(middle)]) {
        yield piece({ tool_calls: [{ index: at, function: { arguments: part } }] })
      }
    }
    yield piece({}, answer.finishReason)
  }
  if (request.stream_options?.include_usage === true) yield chunk([], { usage: answer.usage })
}

const indexes = ({ n }: ChatRequest): number[] => Array.from({ length: n ?? 1 }, (_, index) => index)
