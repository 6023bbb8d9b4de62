/**
 * JSON whose numbers come out as they went in. `JSON.parse` turns `1.0` into 1 and rounds integers beyond 2^53; here a number
 * that JavaScript would print differently stays a raw JSON token (TC39 "JSON.parse source text access"), which `JSON.stringify`
 * prints unchanged.
 */
interface ExactJson {
  parse(
    text: string,
    revive: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown
  rawJSON(text: string): object
  isRawJSON(value: unknown): boolean
}

const json = JSON as unknown as ExactJson

/**
 * Numbers that may print differently: minus zero, a trailing zero in the fraction, an exponent, or more digits than a double holds.
 * Bounded on both sides by what stands around a number, so that times and ids inside strings do not look like one.
 */
const riskyNumber = /[:,[]\s*(?:-0|-?\d+\.\d*0|-?\d+(?:\.\d+)?[eE][+-]?\d+|-?\d{16,}|-?\d+\.\d{15,})\s*[,}\]]/

export const mayLoseNumbers = (text: string): boolean => riskyNumber.test(text)

/** Parses `text`; numbers that would change become raw tokens. About five times slower than `JSON.parse`. @throws SyntaxError */
export function parseExactly(text: string): unknown {
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? json.rawJSON(source) : value,
  )
}

export const isRawNumber = (value: unknown): value is { readonly rawJSON: string } =>
  typeof value === 'object' && value !== null && json.isRawJSON(value)
