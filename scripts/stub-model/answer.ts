import { type ChatRequest, lastUserText, textOf, wordsOf } from './chat-request.ts'
import { exampleValue } from './example-value.ts'

/** What the made-up model says: a text, or calls of tools. */
export interface StubAnswer {
  readonly text: string | null
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  readonly finishReason: 'stop' | 'length' | 'tool_calls'
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly total_tokens: number }
}

/**
 * Answers to questions, by the exact text of the last message of the user; or what answers a
 * request, if it knows one.
 */
export type KnownAnswers = Readonly<Record<string, string>> | ((request: ChatRequest) => string | undefined)

/**
 * The answer to a request, always the same one: a known answer, or
 * `You said: <last message of the user>`. A request for JSON gets a value that fits its schema;
 * with `tool_choice` "required" or a function, that tool is called. A token is a word.
 */
export function answerTo(request: ChatRequest, known: KnownAnswers): StubAnswer {
  const question = lastUserText(request.messages)
  const said =
    (typeof known === 'function' ? known(request) : known[question]) ??
    (wantsJson(request) ? jsonFor(request, question) : `You said: ${question}`)
  const tool = toolToCall(request)
  const args = tool && JSON.stringify(exampleValue(tool.function.parameters ?? { type: 'object' }, question))
  const bound = request.max_completion_tokens ?? request.max_tokens ?? Number.POSITIVE_INFINITY
  const words = wordsOf(args ?? said)
  const isCut = tool === undefined && words.length > bound
  const promptTokens = request.messages.reduce((sum, message) => sum + wordsOf(textOf(message)).length, 0)
  const completionTokens = Math.min(words.length, bound) * (request.n ?? 1)
  return {
    text: tool === undefined ? (isCut ? words.slice(0, bound).join(' ') : said) : null,
    toolCalls: tool === undefined ? [] : [{ id: 'call_stub', name: tool.function.name, arguments: args! }],
    finishReason: tool === undefined ? (isCut ? 'length' : 'stop') : 'tool_calls',
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  }
}

const wantsJson = ({ response_format: format }: ChatRequest): boolean =>
  format?.type === 'json_object' || format?.type === 'json_schema'

function jsonFor({ response_format: format }: ChatRequest, question: string): string {
  const schema = format?.json_schema?.schema
  return JSON.stringify(schema === undefined ? { answer: question } : exampleValue(schema, question))
}

function toolToCall({ tools = [], tool_choice: choice }: ChatRequest) {
  if (choice === 'required') return tools[0]
  if (typeof choice !== 'object') return undefined
  return tools.find((tool) => tool.function.name === choice.function?.name)
}
