import { limits } from '../../limits.ts'
import { parseJsonExactly } from '../../wire/json-body.ts'

/** What a text of JSON holds, of any kind, with its numbers to the letter; any other value, and text that is no JSON, as it is. */
export function parseAnyJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return parseJsonExactly(value, limits.attributeTextDepthMax)
  } catch {
    // What its writer has not encoded is a text.
    return value
  }
}

/**
 * The JSON object or array that a text holds, with its numbers to the letter and its members in order; any other value, and text that
 * only looks like JSON or is nested too deep, as it is.
 */
export function parseJsonText(value: unknown): unknown {
  if (typeof value !== 'string' || value.length < 2) return value
  const first = value.charCodeAt(0)
  const last = value.charCodeAt(value.length - 1)
  const looksLikeJson = (first === 123 && (last === 125 || last <= 32)) || (first === 91 && (last === 93 || last <= 32))
  if (!looksLikeJson) return value
  try {
    return parseJsonExactly(value, limits.attributeTextDepthMax)
  } catch {
    // Text in brackets that is no JSON is text.
    return value
  }
}
