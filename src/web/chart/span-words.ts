import { formatDay, formatDayMinute, formatMinute } from '../format/time.ts'
import type { Span } from './span.ts'

/** Two times of one day or of several: `22 Nov, 06:52 – 11:12`, `21 Nov, 06:52 – 22 Nov, 11:12`. */
export const spanWords = ({ from, to }: Span): string =>
  formatDay(from) === formatDay(to)
    ? `${formatDayMinute(from)} – ${formatMinute(to)}`
    : `${formatDayMinute(from)} – ${formatDayMinute(to)}`
