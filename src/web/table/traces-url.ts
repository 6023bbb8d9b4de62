import { readTimeRange, type TimeRange, writeTimeRange } from '../filter/time-range.ts'
import { flag, type Param, text } from '../state/search-text.ts'
import { type Column, readColumns, writeColumns } from './columns/columns.ts'
import { newestFirst, readSort, type Sort, writeSort } from './columns/sort.ts'

const timeRange: Param<TimeRange> = { initial: { kind: 'all' }, read: readTimeRange, write: writeTimeRange }

const brush: Param<TimeRange | undefined> = {
  initial: undefined,
  read: (value) => {
    const range = readTimeRange(value)
    return range?.kind === 'between' ? range : undefined
  },
  write: (range) => (range ? writeTimeRange(range) : ''),
}

const columns: Param<readonly Column[] | undefined> = {
  initial: undefined,
  read: readColumns,
  write: (value) => (value ? writeColumns(value) : ''),
}

const sort: Param<Sort> = { initial: newestFirst, read: readSort, write: writeSort }

/**
 * The address of a table of traces or calls: filter text, time range, brushed part of it, sort
 * order, columns, the saved view it came from, and whether new rows are shown as they arrive.
 * Addresses are kept by people: a parameter may be added, but what one says now it says for ever.
 */
export const tracesUrl = { f: text(), t: timeRange, b: brush, s: sort, c: columns, v: text(), live: flag() }
