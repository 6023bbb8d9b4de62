/** Answer of `POST /call/messages`. */
export interface CallMessages {
  readonly messages: readonly Message[]
  readonly model: string | null
  readonly tools: readonly { readonly name: string; readonly description: string | null }[]
  readonly is_truncated: boolean
}

/** A message of a conversation, whatever the provider's format. */
export interface Message {
  readonly source: 'inputs' | 'output'
  readonly role: string
  readonly name: string | null
  readonly parts: readonly MessagePart[]
}

/** A call of a tool that a model asks for. */
interface ToolCallPart {
  readonly type: 'tool_call'
  readonly id: string | null
  readonly name: string
  /** JSON text. */
  readonly arguments: string
}

/** Result of a tool. */
interface ToolResultPart {
  readonly type: 'tool_result'
  readonly id: string | null
  readonly name: string | null
  readonly content: string
  readonly is_error: boolean
}

/** A picture, sound or file: stored here, inside the message, or elsewhere. */
export interface MediaPart {
  readonly type: 'image' | 'audio' | 'file'
  readonly digest: string | null
  readonly url: string | null
  readonly media_type: string | null
  /** Base64. */
  readonly data: string | null
}

export type MessagePart =
  | { readonly type: 'text' | 'reasoning' | 'json'; readonly text: string }
  | ToolCallPart
  | ToolResultPart
  | MediaPart

/** A part to show: tool calls carry the result that a later message holds. */
export type ShownPart =
  | Exclude<MessagePart, ToolCallPart>
  | (ToolCallPart & { readonly result: ToolResultPart | undefined })

export interface ShownMessage {
  readonly source: Message['source']
  readonly role: string
  readonly name: string | null
  readonly parts: readonly ShownPart[]
}

/**
 * Joins tool calls with their results, by id or, where there is none, by order and name. Messages
 * of which nothing is left are left out.
 */
export function joinResults(messages: readonly Message[]): ShownMessage[] {
  const used = new Set<ToolResultPart>()
  const resultOf = (part: ToolCallPart, after: number): ToolResultPart | undefined => {
    for (const message of messages.slice(after + 1)) {
      for (const candidate of message.parts) {
        if (candidate.type !== 'tool_result' || used.has(candidate)) continue
        const isSame =
          part.id !== null && candidate.id !== null
            ? part.id === candidate.id
            : candidate.name === null || candidate.name === part.name
        if (!isSame) continue
        used.add(candidate)
        return candidate
      }
    }
    return undefined
  }
  const joined = messages.map(
    (message, index): ShownMessage => ({
      ...message,
      parts: message.parts.map((part) =>
        part.type === 'tool_call' ? { ...part, result: resultOf(part, index) } : part,
      ),
    }),
  )
  return joined
    .map((message) => ({
      ...message,
      parts: message.parts.filter((part) => part.type !== 'tool_result' || !used.has(part)),
    }))
    .filter(({ parts }) => parts.length > 0)
}
