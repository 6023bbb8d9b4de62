import { isJsonObject } from '../../../kernel/json-value.ts'

export type Message = Readonly<Record<string, unknown>>

/** Messages as a user wrote them down: a list of them, one of them, or the text of one. */
export function messagesIn(value: unknown): Message[] {
  if (typeof value === 'string') return [{ role: 'user', content: value }]
  if (Array.isArray(value)) return value.flatMap(messagesIn)
  return isJsonObject(value) && typeof value['role'] === 'string' ? [value] : []
}
