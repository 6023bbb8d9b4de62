import { isJsonObject } from '../lib/json-value.ts'

/**
 * Nested attributes under the dotted names that instrumentations use: `{"llm":{"model":"a"}}` as
 * `llm.model`, and objects in lists as `llm.messages.0.role`.
 */
export function flattenAttributes(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const flat: Record<string, unknown> = {}
  const add = (name: string, value: unknown) => {
    if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) add(name === '' ? key : `${name}.${key}`, member)
    } else if (Array.isArray(value) && value.some(isJsonObject)) {
      for (const [index, element] of value.entries()) add(`${name}.${index}`, element)
    } else if (value !== null && value !== undefined) flat[name] = value
  }
  add('', members)
  return flat
}
