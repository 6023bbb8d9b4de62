import type { JsonSchema } from './example-value.ts'

/** What the stub looks at in a request for a chat completion. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly n?: number
  readonly max_tokens?: number | null
  readonly max_completion_tokens?: number | null
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters?: JsonSchema } }[]
  readonly tool_choice?: string | { readonly function?: { readonly name: string } }
  readonly response_format?: {
    readonly type: string
    readonly json_schema?: { readonly schema?: JsonSchema }
  }
}

export interface ChatMessage {
  readonly role: string
  readonly content?: string | readonly { readonly type: string; readonly text?: string }[] | null
}

/** The text of a message: all of its parts that are text. */
export function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => part.text ?? '').join(' ')
}

/** Words, which stand for tokens: easy to count by hand. */
export const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

export const lastUserText = (messages: readonly ChatMessage[]): string => {
  const last = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1)
  return last === undefined ? '' : textOf(last)
}
