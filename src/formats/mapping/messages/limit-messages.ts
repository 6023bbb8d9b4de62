import { limits } from '../../../lib/limits.ts'
import type { Message, MessagePart } from '../../schemas/messages.ts'

interface Limited {
  readonly messages: Message[]
  readonly isTruncated: boolean
}

/** Keeps the first messages and the last ones, and the start of long texts. */
export function limitMessages(messages: readonly Message[]): Limited {
  const { messagesMax } = limits
  const kept =
    messages.length <= messagesMax
      ? messages
      : [
          ...messages.slice(0, Math.floor(messagesMax / 4)),
          ...messages.slice(messages.length - Math.ceil((messagesMax * 3) / 4)),
        ]
  let isTruncated = kept.length < messages.length
  const cut = (text: string): string => {
    if (text.length <= limits.messageTextCharsMax) return text
    isTruncated = true
    return text.slice(0, limits.messageTextCharsMax).toWellFormed()
  }
  const limited = kept.map((message) => ({ ...message, parts: message.parts.map((part) => limitPart(part, cut)) }))
  return { messages: limited, isTruncated }
}

function limitPart(part: MessagePart, cut: (text: string) => string): MessagePart {
  switch (part.type) {
    case 'tool_call':
      return { ...part, arguments: cut(part.arguments) }
    case 'tool_result':
      return { ...part, content: cut(part.content) }
    case 'image':
    case 'audio':
    case 'file':
      // Half a picture is none.
      return part.data !== null && cut(part.data) !== part.data ? { ...part, data: null } : part
    default:
      return { ...part, text: cut(part.text) }
  }
}
