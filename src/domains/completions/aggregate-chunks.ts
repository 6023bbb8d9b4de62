import { isJsonObject } from '../../lib/json-value.ts'

type Json = Record<string, unknown>

interface ToolCall {
  id: string
  type: string
  name: string
  arguments: string
}

interface Choice {
  role: string
  content: string | null
  refusal: string | null
  reasoning: string | null
  readonly tools: Map<number, ToolCall>
  readonly logprobs: unknown[]
  finishReason: string | null
}

/**
 * Merges the chunks of a stream (`chat.completion.chunk`) into the `chat.completion` that the
 * provider would have returned. For members repeated in each chunk (id, model, …) the first counts,
 * for usage the last.
 */
export class ChunkAggregate {
  private readonly head: Json = {}
  private readonly choices = new Map<number, Choice>()
  /** As counted by the provider; undefined until reported. */
  usage: Record<string, unknown> | undefined

  add(chunk: Json): void {
    for (const [name, value] of Object.entries(chunk)) {
      if (name === 'choices' || name === 'usage' || name === 'object' || value == null) continue
      this.head[name] ??= value
    }
    if (isJsonObject(chunk['usage'])) this.usage = chunk['usage']
    for (const choice of listIn(chunk, 'choices')) this.addChoice(choice)
  }

  /** Whether no chunk has arrived yet. */
  get isEmpty(): boolean {
    return this.choices.size === 0 && Object.keys(this.head).length === 0
  }

  /** Whether all choices have a finish reason. A stream that ends earlier is broken. */
  get isComplete(): boolean {
    return this.choices.size > 0 && [...this.choices.values()].every(({ finishReason }) => finishReason !== null)
  }

  completion(): Json {
    const choices = [...this.choices].sort(([a], [b]) => a - b)
    return {
      ...this.head,
      object: 'chat.completion',
      choices: choices.map(([index, choice]) => ({
        index,
        message: messageOf(choice),
        logprobs: choice.logprobs.length === 0 ? null : { content: choice.logprobs },
        finish_reason: choice.finishReason,
      })),
      ...(this.usage !== undefined && { usage: this.usage }),
    }
  }

  private addChoice(part: Json): void {
    const index = typeof part['index'] === 'number' ? part['index'] : 0
    const choice = this.choices.get(index) ?? newChoice()
    this.choices.set(index, choice)
    choice.finishReason = textIn(part, 'finish_reason') ?? choice.finishReason
    if (isJsonObject(part['logprobs'])) choice.logprobs.push(...listIn(part['logprobs'], 'content'))
    const delta = isJsonObject(part['delta']) ? part['delta'] : {}
    choice.role = textIn(delta, 'role') ?? choice.role
    choice.content = joined(choice.content, textIn(delta, 'content'))
    choice.refusal = joined(choice.refusal, textIn(delta, 'refusal'))
    choice.reasoning = joined(choice.reasoning, textIn(delta, 'reasoning_content') ?? textIn(delta, 'reasoning'))
    for (const [at, call] of listIn(delta, 'tool_calls').entries()) addToolCall(choice, call, at)
  }
}

const newChoice = (): Choice => ({
  role: 'assistant',
  content: null,
  refusal: null,
  reasoning: null,
  tools: new Map(),
  logprobs: [],
  finishReason: null,
})

function addToolCall({ tools }: Choice, part: Json, at: number): void {
  const index = typeof part['index'] === 'number' ? part['index'] : at
  const call = tools.get(index) ?? { id: '', type: 'function', name: '', arguments: '' }
  tools.set(index, call)
  call.id ||= textIn(part, 'id') ?? ''
  const named = isJsonObject(part['function']) ? part['function'] : {}
  call.name ||= textIn(named, 'name') ?? ''
  call.arguments += textIn(named, 'arguments') ?? ''
}

function messageOf({ role, content, refusal, reasoning, tools }: Choice): Json {
  // A tool call without id and name cannot be executed.
  const calls = [...tools].sort(([a], [b]) => a - b).filter(([, { id, name }]) => id !== '' && name !== '')
  return {
    role,
    content,
    ...(refusal !== null && { refusal }),
    ...(reasoning !== null && { reasoning_content: reasoning }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(([, { id, type, ...call }]) => ({ id, type, function: call })),
    }),
  }
}

const joined = (before: string | null, piece: string | undefined): string | null =>
  piece === undefined ? before : (before ?? '') + piece

const textIn = (object: Json, name: string): string | undefined => {
  const value = object[name]
  return typeof value === 'string' ? value : undefined
}

function listIn(object: Json, name: string): Json[] {
  const value = object[name]
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
