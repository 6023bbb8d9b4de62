import type { Table } from '../../kernel/table.ts'
import { limits } from '../../limits.ts'
import { type DataFile, needsRewrite } from '../data-files/data-file.ts'
import { oldestFirst } from '../data-files/open-data-files.ts'

/** Sizes of files that are told apart, the smallest first: the part of a full file that they are below, and how many of them become one. */
const sizes = [
  { below: 1 / 4096, minFiles: 6 },
  { below: 1 / 512, minFiles: 6 },
  { below: 1 / 64, minFiles: 6 },
  { below: 1 / 8, minFiles: 4 },
  { below: 1 / 2, minFiles: 4 },
] as const
const fullFrom = sizes.at(-1)!.below

/**
 * The files of a table that are to become one: all that are at most as large as those of which too many have piled up, the oldest first and
 * no more than fill a file. The result counts among the larger ones sooner or later, so that a row is written again a few times and not with
 * every flush, and about twenty files of a table are not full, however long it runs.
 *
 * @returns undefined where nothing is to be done
 */
export function selectForCompaction(table: Table, dataFiles: readonly DataFile[]): DataFile[] | undefined {
  // Every reader has to convert it, or to leave rows of it out, until it is written as this store writes files.
  const readAround = dataFiles.find(needsRewrite)
  if (readAround !== undefined) return [readAround]
  let above = 0
  for (const { below, minFiles } of sizes) {
    const withCapacity = dataFiles.filter((dataFile) => fillOf(dataFile) >= above && fillOf(dataFile) < below)
    if (withCapacity.length >= minFiles) return fillOneFile(table, dataFiles, below)
    above = below
  }
  return undefined
}

/** The same however few there are, down to two. */
export function selectAnySmall(table: Table, dataFiles: readonly DataFile[]): DataFile[] | undefined {
  const readAround = dataFiles.find(needsRewrite)
  if (readAround !== undefined) return [readAround]
  const chosen = fillOneFile(table, dataFiles, fullFrom)
  return chosen.length < 2 ? undefined : chosen
}

/** How much of a full file it is. */
const fillOf = ({ rows, bytes }: DataFile): number =>
  Math.max(rows / limits.memtableRowsMax, bytes / limits.mergedBytesMax)

function fillOneFile(table: Table, dataFiles: readonly DataFile[], below: number): DataFile[] {
  const small = dataFiles.filter((dataFile) => fillOf(dataFile) < below)
  let fill = 0
  return oldestFirst(table, small).filter((dataFile) => {
    const after = fill + fillOf(dataFile)
    if (after > 1) return false
    fill = after
    return true
  })
}
