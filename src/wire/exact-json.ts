import { visit } from 'jsonc-parser'
import { looksLikeIndex, objectInOrder, rawNumber } from '../kernel/json-value.ts'
import { markNumbers, type NumberPlaces, restoreNumbers } from './marked-numbers.ts'

interface RevivingJson {
  parse(
    text: string,
    revive: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown
}

/** Whether a parsed value holds an object whose keys may stand in another order than in its text. */
function mayLoseOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(mayLoseOrder)
  let isFirst = true
  for (const key in value) {
    if (isFirst && looksLikeIndex(key)) return true
    isFirst = false
    const member = (value as Record<string, unknown>)[key]
    if (typeof member === 'object' && mayLoseOrder(member)) return true
  }
  return false
}

/**
 * Parses `text` so that `JSON.stringify` gives its members in the same order and its numbers to the letter (see `kernel/json-value.ts`).
 * As fast as `JSON.parse` where the text needs neither; numbers cost the parsing once more, order twenty times that.
 *
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (mayLoseOrder(value)) return parseInOrder(text)
  // Marks are made inside something; a text may be nothing but a number.
  if (typeof value === 'number') return exactNumber(value, text.trim())
  const marked = markNumbers(text)
  if (marked?.sources.length === 0) return value
  const restored: unknown = marked && JSON.parse(marked.text)
  return marked && restoreNumbers(restored, marked, undefined, everywhere) ? restored : parseWithNumbers(text)
}

const everywhere: NumberPlaces<undefined> = {
  below: () => undefined,
  number: (source) => exactNumber(Number(source), source),
}

/** Numbers that would change become raw tokens. About five times slower than `JSON.parse`. @throws SyntaxError */
export function parseWithNumbers(text: string): unknown {
  return (JSON as unknown as RevivingJson).parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? exactNumber(value, source) : value,
  )
}

/** Numbers and order kept. For text that is known to be JSON, and not too deep. About twenty times slower than `JSON.parse`. */
export function parseInOrder(text: string): unknown {
  const open: { readonly add: (value: unknown) => void; readonly close: () => unknown }[] = []
  let root: unknown
  const add = (value: unknown) => {
    const holder = open.at(-1)
    if (holder === undefined) root = value
    else holder.add(value)
  }
  // Keys whose values are still to come: one for each object that is open.
  const keys: string[] = []
  const close = () => add(open.pop()!.close())
  visit(text, {
    onObjectBegin: () => {
      const entries: [string, unknown][] = []
      open.push({ add: (value) => entries.push([keys.pop()!, value]), close: () => objectInOrder(entries) })
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

/** The number, or a raw token where it would print differently. */
export const exactNumber = (value: number, source: string): unknown =>
  String(value) === source ? value : rawNumber(source)
