import { isJsonObject } from '../../kernel/json-value.ts'

/** The JSON object or array that `output` is or contains as text, if any. */
export function parsedOutput(output: unknown): object | undefined {
  if (Array.isArray(output) || isJsonObject(output)) return output
  if (typeof output !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(output)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // Not JSON, which is what the caller wants to know.
    return undefined
  }
}
