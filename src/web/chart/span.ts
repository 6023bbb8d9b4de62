import { formatDay, formatDayMinute, formatMinute } from '../format/time.ts'

/** A stretch of time in milliseconds; the end is not part of it. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A chart of less than this is one bar as wide as the page. */
const shortestMs = 600_000

/**
 * Widens a short time span around its middle until it is long enough for a chart; it ends by now.
 */
export function chartSpan({ from, to }: Span, now: number): Span {
  if (to - from >= shortestMs) return { from, to }
  const end = Math.max(to, Math.min(now, Math.ceil((from + to + shortestMs) / 2)))
  return { from: end - shortestMs, to: end }
}

/** Two times of one day or of several: `22 Nov, 06:52 – 11:12`, `21 Nov, 06:52 – 22 Nov, 11:12`. */
export const spanWords = ({ from, to }: Span): string =>
  formatDay(from) === formatDay(to)
    ? `${formatDayMinute(from)} – ${formatMinute(to)}`
    : `${formatDayMinute(from)} – ${formatDayMinute(to)}`
