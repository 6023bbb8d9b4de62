import type { RowRanges } from './relation.ts'

/** How many rows are in some ranges. */
export const rowsIn = (ranges: RowRanges): number => ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)

/** The rows of some ranges, in any order, as ranges of which none meets another. */
export function union(ranges: RowRanges): RowRanges {
  const merged: [number, number][] = []
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const before = merged.at(-1)
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else merged.push([first, last])
  }
  return merged
}

/** The rows that are in both of two selections. A file that is not listed has all of its rows. */
export function commonRows(
  first: ReadonlyMap<string, RowRanges>,
  second: ReadonlyMap<string, RowRanges>,
): ReadonlyMap<string, RowRanges> {
  const common = new Map([...first, ...second])
  for (const [fileName, ranges] of first) {
    const others = second.get(fileName)
    if (others !== undefined) common.set(fileName, intersection(ranges, others))
  }
  return common
}

function intersection(some: RowRanges, others: RowRanges): RowRanges {
  const common: [number, number][] = []
  for (const [first, last] of some)
    for (const [otherFirst, otherLast] of others) {
      const [from, to] = [Math.max(first, otherFirst), Math.min(last, otherLast)]
      if (from <= to) common.push([from, to])
    }
  return common
}
