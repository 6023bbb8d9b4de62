import { wellFormed } from './json-value.ts'

/**
 * JSON text of a value for storage. Lone surrogates become U+FFFD, because DuckDB rejects JSON that
 * escapes one. Request bodies have none left, but model responses and JSON inside span attributes
 * may.
 */
export function storedJson(value: unknown): string {
  const text = JSON.stringify(value)
  // Pairs are printed literally, so an escape is either a lone surrogate or part of a text that
  // spells it out.
  return text.includes('\\ud') ? JSON.stringify(wellFormed(value)) : text
}
