import type { RowRanges } from '../../lib/relation.ts'
import type { Footer } from './footer.ts'

/** Some neighbouring rows of a row group, counted from its start. */
export interface GroupRows {
  readonly group: number
  readonly first: number
  readonly last: number
}

/** The rows of a file within ranges, by row group, in order. */
export function groupsWithin({ groupStarts, groups }: Footer, ranges: RowRanges): GroupRows[] {
  const found: GroupRows[] = []
  for (let group = 0; group < groups; group++) {
    const [start, end] = [groupStarts[group]!, groupStarts[group + 1]!]
    for (const [first, last] of ranges)
      if (first < end && last >= start)
        found.push({ group, first: Math.max(first, start) - start, last: Math.min(last, end - 1) - start })
  }
  return found
}

/** The numbers of some neighbouring rows, both ends included. */
export const rowsBetween = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
