import { isJsonObject, withoutMembers } from '../kernel/json-value.ts'

/**
 * A parsed body without a member of its own that is called `__proto__`, which no operation declares. Elysia
 * assigns the members of a body to an object of defaults: that one would become the object's prototype, and
 * what stands in it would pass for members that were sent. Deeper levels are never assigned.
 */
export const withoutPrototype = (body: unknown): unknown =>
  isJsonObject(body) ? withoutMembers(body, '__proto__') : body
