import { readTimeRange, type TimeRange, writeTimeRange } from '../../filter/time-range.ts'
import type { Param } from '../../state/search-text.ts'

const timeRange: Param<TimeRange | undefined> = {
  initial: undefined,
  read: readTimeRange,
  write: (range) => (range ? writeTimeRange(range) : ''),
}

/** No op in the address is not the same as all ops, which is an empty one. */
const op: Param<string | undefined> = { initial: undefined, read: (name) => name, write: (name) => name ?? '\0' }

/**
 * The address of a dashboard: time range and op. Where it has none, those of the saved dashboard
 * count.
 */
export const dashboardsUrl = { t: timeRange, op }
