import { isJsonObject, withoutMembers } from '../../lib/json-value.ts'

/**
 * Removes an own member named `__proto__` from a parsed body. Elysia assigns the members of a body
 * to an object of defaults; this one would become its prototype, and its content would pass for
 * sent members. Deeper levels are never assigned.
 */
export const withoutPrototype = (body: unknown): unknown =>
  isJsonObject(body) ? withoutMembers(body, '__proto__') : body
