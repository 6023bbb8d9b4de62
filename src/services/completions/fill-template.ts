import { isJsonObject, mapJson } from '../../model/json-value.ts'
import { refuseCompletion } from './refusal.ts'

type Message = Readonly<Record<string, unknown>>
type Variables = Readonly<Record<string, unknown>>

/** A placeholder, or a doubled brace, which stands for a single one. Other braces are text: messages often hold JSON. */
const placeholder = /\{\{|\}\}|\{([A-Za-z_]\w*)\}/g

/**
 * Messages with `{name}` replaced by variables, in texts and in parts that are texts; those of the assistant stay as they are. Without
 * variables nothing is replaced.
 *
 * @throws CompletionRefused naming a variable that is missing
 */
export function fillMessages(
  messages: readonly Message[],
  variables: Variables | null | undefined,
): readonly Message[] {
  if (variables == null || Object.keys(variables).length === 0) return messages
  return messages.map((message) => {
    if (message['role'] === 'assistant') return message
    return mapJson(message, (member, key) => (key === 'content' ? fillContent(member, variables) : member)) as Message
  })
}

function fillContent(content: unknown, variables: Variables): unknown {
  if (typeof content === 'string') return fill(content, variables)
  if (!Array.isArray(content)) return content
  return content.map((part: unknown) => {
    if (!isJsonObject(part) || part['type'] !== 'text') return part
    return mapJson(part, (member, key) =>
      key === 'text' && typeof member === 'string' ? fill(member, variables) : member,
    )
  })
}

const fill = (text: string, variables: Variables): string =>
  text.replaceAll(placeholder, (found: string, name: string | undefined) => {
    if (name === undefined) return found[0]!
    if (!Object.hasOwn(variables, name)) refuseCompletion(`The template variable "${name}" is missing`)
    const value = variables[name]
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
