import { isJsonObject, mapJson } from '../../lib/json-value.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { refuseCompletion } from './refusal.ts'

type Message = Readonly<Record<string, unknown>>
type Variables = Readonly<Record<string, unknown>>

/**
 * A placeholder, or a doubled brace, which means a single one. Other braces are text: messages
 * often contain JSON.
 */
const placeholder = /\{\{|\}\}|\{([A-Za-z_]\w*)\}/g

/**
 * Replaces `{name}` placeholders in texts and text parts of messages, except those of the
 * assistant. Without variables nothing is replaced.
 *
 * @throws CompletionRefused for a missing variable, or if the result exceeds the maximum size of a
 *   request
 */
export function fillMessages(
  messages: readonly Message[],
  variables: Variables | null | undefined,
): readonly Message[] {
  if (variables == null || Object.keys(variables).length === 0) return messages
  const fill = fillerWith(variables)
  return messages.map((message) => {
    if (message['role'] === 'assistant') return message
    return mapJson(message, (member, key) => (key === 'content' ? fillContent(member, fill) : member)) as Message
  })
}

function fillContent(content: unknown, fill: (text: string) => string): unknown {
  if (typeof content === 'string') return fill(content)
  if (!Array.isArray(content)) return content
  return content.map((part: unknown) => {
    if (!isJsonObject(part) || part['type'] !== 'text') return part
    return mapJson(part, (member, key) => (key === 'text' && typeof member === 'string' ? fill(member) : member))
  })
}

/** Limits the output: a short template can name a long variable a million times. */
function fillerWith(variables: Variables): (text: string) => string {
  const texts = new Map<string, string>()
  let charsLeft = requestLimits.bodyBytesMax
  const textOf = (name: string): string => {
    if (!Object.hasOwn(variables, name)) refuseCompletion(`Missing template variable "${name}"`)
    const value = variables[name]
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
  return (text) =>
    text.replaceAll(placeholder, (found: string, name: string | undefined) => {
      if (name === undefined) return found[0]!
      const filled = texts.get(name) ?? textOf(name)
      texts.set(name, filled)
      charsLeft -= filled.length
      if (charsLeft < 0)
        refuseCompletion(`The messages exceed ${requestLimits.bodyBytesMax} characters after template substitution`)
      return filled
    })
}
