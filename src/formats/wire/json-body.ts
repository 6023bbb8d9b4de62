import { DomainError } from '../../lib/errors.ts'
import { isRawNumber, looksLikeIndex, mapJson, wellFormed } from '../../lib/json-value.ts'
import { parseInOrder, parseWithNumbers } from './exact-json.ts'
import {
  exactPlace,
  isHolder,
  type MarkedJson,
  markNumbers,
  memberPlace,
  type NumberPlace,
  numberAt,
  restoreNumbers,
} from './marked-numbers.ts'

/**
 * Whether the text may contain an escaped surrogate. Substring search costs a tenth of a regular
 * expression.
 */
const mayEscapeSurrogates = (text: string): boolean =>
  text.includes('\\u') && (text.includes('\\ud') || text.includes('\\uD'))

/**
 * Parses the JSON text of a request, or a part of one. Members keep their order, and numbers are
 * kept as their places say. Lone surrogates become U+FFFD; nesting beyond `depthMax` is rejected.
 *
 * @param root place of the value
 * @throws SyntaxError if the text is not JSON (NaN and Infinity are not)
 * @throws DomainError RequestTooLarge if it is too deep
 */
export function parseJson(text: string, depthMax: number, root: NumberPlace): unknown {
  const marked = markNumbers(text)
  const value = parseMarked(text, marked)
  const hasIndexKeys = checkDepth(value, depthMax)
  const exact = hasIndexKeys ? numbersAt(root, parseInOrder(text)) : withNumbers(text, value, marked, root)
  return wellFormedWhere(text, exact)
}

/** The same with all numbers kept as they are written. */
export const parseJsonExactly = (text: string, depthMax: number): unknown => parseJson(text, depthMax, exactPlace)

/**
 * The same on a fast path: returns `undefined` if the text has more than `exactNumbersMax` numbers
 * that print differently, or names that look like indexes.
 *
 * @throws like `parseJson`
 */
export function parseFast(
  text: string,
  depthMax: number,
  { exactNumbersMax, root }: { readonly exactNumbersMax: number; readonly root: NumberPlace },
): unknown {
  const marked = markNumbers(text, exactNumbersMax)
  if (marked === 'too many') return undefined
  const value = parseMarked(text, marked)
  if (checkDepth(value, depthMax)) return undefined
  return wellFormedWhere(text, withNumbers(text, value, marked, root))
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

function withNumbers(text: string, value: unknown, marked: MarkedJson | undefined, root: NumberPlace): unknown {
  const isDone = marked?.sources.length === 0 || (marked && restoreNumbers(value, marked, root))
  return isDone ? value : numbersAt(root, parseWithNumbers(text))
}

/** A value whose numbers are all exact, with JavaScript's numbers where its place says so. */
export function numbersAt(place: NumberPlace, exact: unknown): unknown {
  if (place === exactPlace) return exact
  if (isRawNumber(exact)) return numberAt(place, exact.rawJSON)
  if (Array.isArray(exact)) return exact.map((item) => numbersAt(place.elements, item))
  return mapJson(exact, (member, name) => numbersAt(memberPlace(place, name), member))
}

/**
 * Also records in `shape` whether any object has keys that look like indexes, which JavaScript
 * lists first.
 */
function isDeeperThan(value: unknown, levels: number, shape: { hasIndexKeys: boolean }): boolean {
  if (!isHolder(value)) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && isDeeperThan(item, levels - 1, shape)) return true
    return false
  }
  let isFirst = true
  for (const key in value) {
    if (isFirst && looksLikeIndex(key)) shape.hasIndexKeys = true
    isFirst = false
    const member = value[key]
    if (typeof member === 'object' && isDeeperThan(member, levels - 1, shape)) return true
  }
  return false
}
