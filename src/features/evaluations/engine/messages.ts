import { isJsonObject } from '../../../kernel/json-value.ts'

export type Message = Readonly<Record<string, unknown>>

/** Messages in any notation: a list, a single message, or the text of one. */
export function messagesIn(value: unknown): Message[] {
  if (typeof value === 'string') return [{ role: 'user', content: value }]
  if (Array.isArray(value)) return value.flatMap(messagesIn)
  return isJsonObject(value) && typeof value['role'] === 'string' ? [value] : []
}
