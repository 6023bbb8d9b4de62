import { readTimeRange, type TimeRange, writeTimeRange } from '../../filter/time-range.ts'
import type { Param } from '../../state/search-text.ts'

/** The times in the address; without them, those of the dashboard count. */
export const timeRange: Param<TimeRange | undefined> = {
  initial: undefined,
  read: readTimeRange,
  write: (range) => (range ? writeTimeRange(range) : ''),
}
