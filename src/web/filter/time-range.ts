import { readDuration } from './duration.ts'
import { allOf, condition, type FilterNode } from './expression.ts'

/** Times that a page looks at. Milliseconds since 1970; `between` excludes its end. */
export type TimeRange =
  | { readonly kind: 'all' }
  | { readonly kind: 'last'; readonly ms: number }
  | { readonly kind: 'between'; readonly from: number; readonly to: number }

/** A range with both ends. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Reads `-24h`, `all`, or two UTC times as `2026-11-21T14:12Z..2026-11-22T14:12Z`. */
export function readTimeRange(text: string): TimeRange | undefined {
  if (text === 'all') return { kind: 'all' }
  if (text.startsWith('-')) {
    const unit = /\d(ms|s|min|m|h|d)$/.test(text)
    const ms = unit ? readDuration(text.slice(1)) : undefined
    return ms === undefined || ms <= 0 ? undefined : { kind: 'last', ms }
  }
  const [from, to, ...rest] = text.split('..').map(readTime)
  if (from === undefined || to === undefined || rest.length > 0 || from >= to) return undefined
  return { kind: 'between', from, to }
}

/** The text that `readTimeRange` reads as that range. */
export function writeTimeRange(range: TimeRange): string {
  if (range.kind === 'all') return 'all'
  if (range.kind === 'between') return `${writeTime(range.from)}..${writeTime(range.to)}`
  const unit = (['d', 'h', 'm', 's'] as const).find((name) => Number.isInteger(range.ms / unitMs[name])) ?? 'ms'
  const days = range.ms / unitMs.d
  return days <= 1 && unit === 'd' ? `-${range.ms / unitMs.h}h` : `-${range.ms / unitMs[unit]}${unit}`
}

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const

/** The ends of a range; undefined for all times. */
export function spanOf(range: TimeRange, now: number): Span | undefined {
  if (range.kind === 'all') return undefined
  return range.kind === 'last' ? { from: now - range.ms, to: now } : { from: range.from, to: range.to }
}

/** The range with fixed ends: what `last 24 hours` is at `now`. All times stay all times. */
export function fixedRange(range: TimeRange, now: number): TimeRange {
  const span = spanOf(range, now)
  return span ? { kind: 'between', ...span } : range
}

/**
 * A filter with calls that start in a span added. A range that ends now has no end: calls go on
 * arriving.
 */
export function within(
  node: FilterNode | undefined,
  from: number | undefined,
  to: number | undefined,
): FilterNode | undefined {
  const bounds = [
    ...(from === undefined ? [] : [condition('started_at', '>=', [new Date(from).toISOString()])]),
    ...(to === undefined ? [] : [condition('started_at', '<', [new Date(to).toISOString()])]),
  ]
  return allOf([...bounds, ...(node === undefined ? [] : [node])])
}

function readTime(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text)) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/** The shortest exact text of the time. */
const writeTime = (time: number): string =>
  new Date(time)
    .toISOString()
    .replace(/\.000Z$/, 'Z')
    .replace(/:00Z$/, 'Z')
