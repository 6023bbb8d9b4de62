import type { Table } from '../../kernel/table.ts'
import { limits } from '../../limits.ts'
import { isReadAround, type Segment } from '../data-files/segment.ts'
import { oldestFirst } from '../data-files/segments.ts'

/** Sizes of files that are told apart, the smallest first: the part of a full file that they are below, and how many of them become one. */
const sizes = [
  { below: 1 / 4096, togetherMin: 6 },
  { below: 1 / 512, togetherMin: 6 },
  { below: 1 / 64, togetherMin: 6 },
  { below: 1 / 8, togetherMin: 4 },
  { below: 1 / 2, togetherMin: 4 },
] as const
const fullFrom = sizes.at(-1)!.below

/**
 * The files of a table that are to become one: all that are at most as large as those of which too many have piled up, the oldest first and
 * no more than fill a file. The result counts among the larger ones sooner or later, so that a row is written again a few times and not with
 * every flush, and about twenty files of a table are not full, however long it runs.
 *
 * @returns undefined where nothing is to be done
 */
export function chooseFiles(table: Table, segments: readonly Segment[]): Segment[] | undefined {
  // Every reader has to convert it, or to leave rows of it out, until it is written as this store writes files.
  const readAround = segments.find(isReadAround)
  if (readAround !== undefined) return [readAround]
  let above = 0
  for (const { below, togetherMin } of sizes) {
    const ofSize = segments.filter((segment) => fillOf(segment) >= above && fillOf(segment) < below)
    if (ofSize.length >= togetherMin) return fittingOne(table, segments, below)
    above = below
  }
  return undefined
}

/** The same however few there are, down to two. */
export function chooseAnyFiles(table: Table, segments: readonly Segment[]): Segment[] | undefined {
  const readAround = segments.find(isReadAround)
  if (readAround !== undefined) return [readAround]
  const chosen = fittingOne(table, segments, fullFrom)
  return chosen.length < 2 ? undefined : chosen
}

/** How much of a full file it is. */
const fillOf = ({ rows, bytes }: Segment): number => Math.max(rows / limits.hotRowsMax, bytes / limits.mergedBytesMax)

function fittingOne(table: Table, segments: readonly Segment[], below: number): Segment[] {
  const small = segments.filter((segment) => fillOf(segment) < below)
  let fill = 0
  return oldestFirst(table, small).filter((segment) => {
    const after = fill + fillOf(segment)
    if (after > 1) return false
    fill = after
    return true
  })
}
