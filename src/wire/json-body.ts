import { DomainError } from '../errors.ts'
import { isRawNumber, looksLikeIndex, mapJson, wellFormed } from '../kernel/json-value.ts'
import { exactNumber, parseInOrder, parseWithNumbers } from './exact-json.ts'
import { type MarkedJson, markNumbers, type NumberPlaces, restoreNumbers } from './marked-numbers.ts'

/** Members with a user's own JSON, whose numbers are kept verbatim; elsewhere numbers are plain. */
const freeMembers: ReadonlySet<string> = new Set([
  'attributes',
  'eval_attributes',
  'inputs',
  'output',
  'summary',
  'otel_dump',
  'payload',
  'row',
  'rows',
  'val',
  'value',
])

/**
 * Whether the text may contain an escaped surrogate. Substring search costs a tenth of a regular
 * expression.
 */
const mayEscapeSurrogates = (text: string): boolean =>
  text.includes('\\u') && (text.includes('\\ud') || text.includes('\\uD'))

/**
 * Parses the JSON text of a request. Members keep their order. Lone surrogates become U+FFFD;
 * nesting beyond `depthMax` is rejected.
 *
 * @throws SyntaxError if the text is not JSON (NaN and Infinity are not)
 * @throws DomainError RequestTooLarge if it is too deep
 */
export function parseJsonBody(text: string, depthMax: number): unknown {
  return parseAtPlace(text, depthMax, 'body')
}

/** The same with all numbers kept verbatim. */
export function parseJsonExactly(text: string, depthMax: number): unknown {
  return parseAtPlace(text, depthMax, 'free')
}

/** Where in a request a value is, which decides how its numbers are represented. */
export type Place = 'body' | 'query' | 'free' | 'plain'

/** The place of a member, or of an element (empty `key`), of a value at `place`. */
export function placeBelow(place: Place, key: string): Place {
  if (place === 'query' || place === 'free') return place
  if (place === 'body' && key === queryMember) return 'query'
  return freeMembers.has(key) ? 'free' : 'plain'
}

/**
 * Like `parseJsonBody`, for part of a body.
 * @throws like `parseJsonBody`
 */
export function parseAtPlace(text: string, depthMax: number, root: Place): unknown {
  const marked = markNumbers(text)
  const value = parseMarked(text, marked)
  const hasIndexKeys = checkDepth(value, depthMax)
  const exact = hasIndexKeys ? normalizeNumbers(parseInOrder(text), root) : withNumbers(text, value, marked, root)
  return wellFormedWhere(text, exact)
}

/**
 * The same on a fast path: returns `undefined` if the text has more than `exactNumbersMax` numbers
 * to keep verbatim, or names that look like indexes.
 *
 * @throws like `parseJsonBody`
 */
export function parseFast(text: string, depthMax: number, exactNumbersMax: number): unknown {
  const marked = markNumbers(text, exactNumbersMax)
  if (marked === 'too many') return undefined
  const value = parseMarked(text, marked)
  if (checkDepth(value, depthMax)) return undefined
  return wellFormedWhere(text, withNumbers(text, value, marked, 'body'))
}

/**
 * @returns whether any object has names that look like indexes
 * @throws DomainError RequestTooLarge
 */
function checkDepth(value: unknown, depthMax: number): boolean {
  const shape = { hasIndexKeys: false }
  if (isDeeperThan(value, depthMax, shape)) {
    throw new DomainError('RequestTooLarge', `Cannot read the body: JSON is nested deeper than ${depthMax} levels`)
  }
  return shape.hasIndexKeys
}

/**
 * Only an escape can bring a lone surrogate past the UTF-8 decoder, so most bodies skip the walk.
 */
const wellFormedWhere = (text: string, value: unknown): unknown =>
  mayEscapeSurrogates(text) ? wellFormed(value) : value

/** Parses `marked`, or `text` if it could not be marked. Errors refer to `text`. */
function parseMarked(text: string, marked: MarkedJson | undefined): unknown {
  if (marked === undefined || marked.sources.length === 0) return JSON.parse(text)
  try {
    return JSON.parse(marked.text)
  } catch {
    return JSON.parse(text)
  }
}

function withNumbers(text: string, value: unknown, marked: MarkedJson | undefined, root: Place): unknown {
  const isDone = marked?.sources.length === 0 || (marked && restoreNumbers(value, marked, root, places))
  return isDone ? value : normalizeNumbers(parseWithNumbers(text), root)
}

function normalizeNumbers(exact: unknown, root: Place): unknown {
  switch (root) {
    case 'body':
      return plainBody(exact)
    case 'plain':
      return plainOutsideFreeMembers(exact)
    case 'query':
      return withExactIntegers(exact)
    case 'free':
      return exact
  }
}

/**
 * Also records in `shape` whether any object has keys that look like indexes, which JavaScript
 * lists first.
 */
function isDeeperThan(value: unknown, levels: number, shape: { hasIndexKeys: boolean }): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && isDeeperThan(item, levels - 1, shape)) return true
    return false
  }
  let isFirst = true
  for (const key in value) {
    if (isFirst && looksLikeIndex(key)) shape.hasIndexKeys = true
    isFirst = false
    const member = (value as Record<string, unknown>)[key]
    if (typeof member === 'object' && isDeeperThan(member, levels - 1, shape)) return true
  }
  return false
}

/** The top-level member with a query expression, whose integers are compared exactly. */
const queryMember = 'query'

function plainOutsideFreeMembers(value: unknown): unknown {
  if (isRawNumber(value)) return Number(value.rawJSON)
  return mapJson(value, (child, key) => (freeMembers.has(key) ? child : plainOutsideFreeMembers(child)))
}

function plainBody(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return plainOutsideFreeMembers(value)
  return mapJson(value, (child, key) => {
    if (key === queryMember) return withExactIntegers(child)
    return freeMembers.has(key) ? child : plainOutsideFreeMembers(child)
  })
}

/** The same rules for restored numbers. */
const places: NumberPlaces<Place> = {
  below: placeBelow,
  number: (source, place) => {
    const value = Number(source)
    if (place === 'free') return exactNumber(value, source)
    return place === 'query' && isLongInteger(source) ? exactNumber(value, source) : value
  },
}

const isLongInteger = (source: string): boolean => /^-?\d{16,39}$/.test(source)

/**
 * Integers beyond a double's precision stay raw tokens, up to the number of digits that comparisons
 * support.
 */
function withExactIntegers(value: unknown): unknown {
  if (isRawNumber(value)) return isLongInteger(value.rawJSON) ? value : Number(value.rawJSON)
  return mapJson(value, withExactIntegers)
}
