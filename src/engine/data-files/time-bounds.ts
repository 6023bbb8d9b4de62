import type { TimeBounds } from '../../lib/relation.ts'
import type { Table } from '../../lib/table.ts'
import type { FileScan } from './file-scan.ts'

/** `after` < time ≤ `through`, in microseconds; either may be absent. */
export interface TimeRange {
  readonly after?: number | undefined
  readonly through?: number | undefined
}

const known = new WeakMap<object, TimeBounds>()

/**
 * The first and the last time of a file's rows in the column that follows the project in the order
 * of the table, in microseconds; infinite where nothing is known.
 */
export function timeBoundsOf({ columns, order }: Table, { statistics }: Pick<FileScan, 'statistics'>): TimeBounds {
  const before = known.get(statistics)
  if (before !== undefined) return before
  const column = columns.find(({ name, type }) => type === 'time' && name === order[1])?.name
  const micros = (text: unknown) => (typeof text === 'string' ? Date.parse(text) * 1000 : Number.NaN)
  const [from, to] = [micros(statistics.minValues[column ?? '']), micros(statistics.maxValues[column ?? ''])]
  const bounds = [Number.isNaN(from) ? Number.NEGATIVE_INFINITY : from, Number.isNaN(to) ? Infinity : to] as const
  known.set(statistics, bounds)
  return bounds
}

export const overlaps = (
  [from, to]: TimeBounds,
  { after = Number.NEGATIVE_INFINITY, through = Number.POSITIVE_INFINITY }: TimeRange,
): boolean => to > after && from <= through

export const isWithin = (
  [from, to]: TimeBounds,
  { after = Number.NEGATIVE_INFINITY, through = Number.POSITIVE_INFINITY }: TimeRange,
): boolean => from > after && to <= through
