/** A passage of a text inside a payload. */
export interface Passage {
  /** `inputs.messages.0.content`, as `POST /call/value` reads it. */
  readonly path: string
  /** Code points before it. */
  readonly start: number
  /** Code points before its end. */
  readonly end: number
  readonly text: string
}

/** A passage with a label. */
export interface Span extends Passage {
  readonly label: string
}

const isSpan = (value: unknown): value is Span =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  'text' in value &&
  'label' in value &&
  typeof value.path === 'string' &&
  typeof value.text === 'string' &&
  typeof value.label === 'string' &&
  'start' in value &&
  'end' in value &&
  typeof value.start === 'number' &&
  typeof value.end === 'number'

/** The spans of an answer. */
export const spansOf = (value: unknown): readonly Span[] => (Array.isArray(value) ? value.filter(isSpan) : [])

/** Spans with one more or, if it is there, without it. */
export function withSpan(spans: readonly Span[], span: Span): readonly Span[] {
  const rest = spans.filter((each) => !isSame(each, span))
  return rest.length < spans.length ? rest : [...spans, span].toSorted(byPlace)
}

const isSame = (a: Span, b: Span): boolean =>
  a.path === b.path && a.start === b.start && a.end === b.end && a.label === b.label
const byPlace = (a: Span, b: Span): number =>
  a.path === b.path ? a.start - b.start || a.end - b.end : a.path < b.path ? -1 : 1

/** A passage of a text. @param from @param to UTF-16 code units, in either order */
export function passageOf(path: string, text: string, from: number, to: number): Passage | undefined {
  let [first, last] = from < to ? [from, to] : [to, from]
  // A selection may begin or end inside a character of two units.
  if (isInside(text, first)) first--
  if (isInside(text, last)) last++
  if (first === last) return undefined
  const start = lengthOf(text.slice(0, first))
  const passage = text.slice(first, last)
  return { path, start, end: start + lengthOf(passage), text: passage }
}

const lengthOf = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

const isInside = (text: string, at: number): boolean =>
  at > 0 && /[\uDC00-\uDFFF]/.test(text.charAt(at)) && /[\uD800-\uDBFF]/.test(text.charAt(at - 1))
