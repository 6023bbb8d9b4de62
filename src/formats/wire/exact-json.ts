import { visit } from 'jsonc-parser'
import { isJsonObject, looksLikeIndex, objectInOrder } from '../../lib/json-value.ts'
import { exactNumber, exactPlace, isHolder, markNumbers, restoreNumbers } from './marked-numbers.ts'

/**
 * Whether a parsed value contains an object whose keys may be in another order than in its text.
 */
function mayLoseOrder(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(mayLoseOrder)
  if (!isHolder(value)) return false
  let isFirst = true
  for (const key in value) {
    if (isFirst && looksLikeIndex(key)) return true
    isFirst = false
    const member: unknown = value[key]
    if (typeof member === 'object' && mayLoseOrder(member)) return true
  }
  return false
}

/**
 * Parses `text` such that `JSON.stringify` prints its members in the same order and its numbers
 * verbatim (see `lib/json-value.ts`). As fast as `JSON.parse` if neither matters; numbers double
 * the cost, order multiplies it by twenty.
 *
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (mayLoseOrder(value)) return parseInOrder(text)
  // Markers only work inside arrays and objects, but a text may be a single number.
  if (typeof value === 'number') return exactNumber(value, text.trim())
  const marked = markNumbers(text)
  if (marked?.sources.length === 0) return value
  const restored: unknown = marked && JSON.parse(marked.text)
  return marked && restoreNumbers(restored, marked, exactPlace) ? restored : parseWithNumbers(text)
}

/**
 * Parses the text of a JSON object like `parseExactly`. @throws SyntaxError; TypeError for other
 * JSON
 */
export function parseObject(text: string): Record<string, unknown> {
  const value = parseExactly(text)
  if (!isJsonObject(value)) throw new TypeError('Expected the text of a JSON object')
  return value
}

/**
 * Numbers that would change become raw tokens. About five times slower than `JSON.parse`.
 * @throws SyntaxError
 */
export function parseWithNumbers(text: string): unknown {
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? exactNumber(value, source) : value,
  )
}

/**
 * Preserves numbers and order. For valid JSON of bounded depth. About twenty times slower than
 * `JSON.parse`. See docs/decisions/024-json-member-order.md.
 */
export function parseInOrder(text: string): unknown {
  const open: { readonly add: (value: unknown) => void; readonly close: () => unknown }[] = []
  let root: unknown
  const add = (value: unknown) => {
    const holder = open.at(-1)
    if (holder === undefined) root = value
    else holder.add(value)
  }
  // Keys whose values are still to come, one for each open object.
  const keys: string[] = []
  const close = () => add(open.pop()?.close())
  visit(text, {
    onObjectBegin: () => {
      const entries: [string, unknown][] = []
      open.push({ add: (value) => entries.push([keys.pop() ?? '', value]), close: () => objectInOrder(entries) })
    },
    onObjectProperty: (name) => {
      keys.push(name)
    },
    onObjectEnd: close,
    onArrayBegin: () => {
      const items: unknown[] = []
      open.push({ add: (value) => items.push(value), close: () => items })
    },
    onArrayEnd: close,
    onLiteralValue: (value, offset, length) =>
      add(typeof value === 'number' ? exactNumber(value, text.slice(offset, offset + length)) : value),
  })
  return root
}
