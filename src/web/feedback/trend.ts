import type { Series } from '../chart/series-values.ts'
import type { Span } from '../chart/span.ts'

/** A line with values at the starts of its buckets. */
interface Line extends Pick<Series, 'name' | 'color' | 'total'> {
  readonly trend: readonly { readonly time: number; readonly value: number | null }[]
}

/** Buckets over a span, and the values of lines in them. Buckets without a value are empty. */
export function trendOf(lines: readonly Line[], span: Span, stepMs: number): { buckets: Span[]; series: Series[] } {
  const known = lines.flatMap(({ trend }) => trend.map(({ time }) => time))
  const anchor = known.length === 0 ? span.from : Math.min(...known)
  const first = anchor - Math.ceil((anchor - span.from) / stepMs) * stepMs
  const count = Math.max(1, Math.ceil((span.to - first) / stepMs))
  const buckets = Array.from({ length: count }, (_, at) => ({
    from: Math.max(span.from, first + at * stepMs),
    to: Math.min(span.to, first + (at + 1) * stepMs),
  })).filter(({ from, to }) => from < to)
  const offset = Math.max(0, count - buckets.length)
  const series = lines.map(({ trend, ...line }): Series => {
    const values = new Array<number | null>(buckets.length).fill(null)
    // A change of the clock moves the starts of days by an hour.
    for (const { time, value } of trend) values[Math.round((time - first) / stepMs) - offset] = value
    return { ...line, values: values.slice(0, buckets.length) }
  })
  return { buckets, series }
}
