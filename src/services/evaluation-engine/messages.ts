export type Message = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Messages as a user wrote them down: a list of them, one of them, or the text of one. */
export function messagesIn(value: unknown): Message[] {
  if (typeof value === 'string') return [{ role: 'user', content: value }]
  if (Array.isArray(value)) return value.flatMap(messagesIn)
  return isRecord(value) && typeof value['role'] === 'string' ? [value] : []
}
