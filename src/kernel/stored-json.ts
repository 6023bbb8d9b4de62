import { wellFormed } from './json-value.ts'

/**
 * JSON text of a value as it is stored: lone surrogates become U+FFFD, because DuckDB refuses to look into a text that escapes one. Bodies
 * of requests have none left; what a model answers, or what stands as JSON in the text of a span, may.
 */
export function storedJson(value: unknown): string {
  const text = JSON.stringify(value)
  // Pairs are printed as they are, so an escape is of a lone one, or part of a text that spells it out.
  return text.includes('\\ud') ? JSON.stringify(wellFormed(value)) : text
}
