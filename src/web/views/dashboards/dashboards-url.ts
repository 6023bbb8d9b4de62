import { readTimeRange, type TimeRange, writeTimeRange } from '../../filter/time-range.ts'
import { type Param, text } from '../../state/search-text.ts'

const timeRange: Param<TimeRange> = { initial: { kind: 'all' }, read: readTimeRange, write: writeTimeRange }

/** The address of the dashboard: time range and op. */
export const dashboardsUrl = { t: timeRange, op: text() }
