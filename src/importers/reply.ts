import { isJsonObject } from '../lib/json-value.ts'

type Members = Readonly<Record<string, unknown>>

/** A text in the reply of a server. @throws Error without it */
export function textIn(reply: unknown, member: string): string {
  const value = isJsonObject(reply) ? reply[member] : undefined
  return typeof value === 'string' ? value : missing(member)
}

/** A number in the reply of a server. @throws Error without it */
export function numberIn(reply: unknown, member: string): number {
  const value = isJsonObject(reply) ? reply[member] : undefined
  return typeof value === 'number' ? value : missing(member)
}

/** A list of objects in the reply of a server. @throws Error without it */
export function objectsIn(reply: unknown, member: string): Members[] {
  const value = isJsonObject(reply) ? reply[member] : undefined
  return Array.isArray(value) ? value.filter(isJsonObject) : missing(member)
}

function missing(member: string): never {
  throw new Error(`Cannot read the reply: it has no \`${member}\`; is this the address of a tracing server?`)
}
