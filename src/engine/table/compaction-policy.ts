import { limits } from '../../lib/limits.ts'
import type { Table } from '../../lib/table.ts'
import { type DataFile, needsRewrite } from '../data-files/data-file.ts'
import { oldestFirst } from '../data-files/open-data-files.ts'

/**
 * Size tiers in ascending order: an upper bound as a fraction of a full file, and how many files of
 * the tier trigger a merge.
 */
const tiers = [
  { below: 1 / 4096, minFiles: 6 },
  { below: 1 / 512, minFiles: 6 },
  { below: 1 / 64, minFiles: 6 },
  { below: 1 / 8, minFiles: 4 },
  { below: 1 / 2, minFiles: 4 },
] as const
const fullAbove = tiers.at(-1)!.below
if (tiers.some(({ below }, index) => below <= (tiers[index - 1]?.below ?? 0)))
  throw new Error('The tiers of the compaction policy do not ascend')

/**
 * Selects files to merge into one: once a tier has enough files, all files up to its size, oldest
 * first, as many as fit into one file. The result moves up a tier sooner or later, so a row is
 * rewritten a few times rather than with every flush, and a table has at most about twenty files
 * that are not full.
 *
 * @returns undefined if nothing is due
 */
export function selectForCompaction(table: Table, dataFiles: readonly DataFile[]): DataFile[] | undefined {
  // Until it is rewritten, every reader has to convert it or skip deleted rows.
  const readAround = dataFiles.find(needsRewrite)
  if (readAround !== undefined) return [readAround]
  let above = 0
  for (const { below, minFiles } of tiers) {
    const withCapacity = dataFiles.filter((dataFile) => fillOf(dataFile) >= above && fillOf(dataFile) < below)
    if (withCapacity.length >= minFiles) return fillOneFile(table, dataFiles, below)
    above = below
  }
  return undefined
}

/** The same for any number of files from two up. */
export function selectAnySmall(table: Table, dataFiles: readonly DataFile[]): DataFile[] | undefined {
  const readAround = dataFiles.find(needsRewrite)
  if (readAround !== undefined) return [readAround]
  const chosen = fillOneFile(table, dataFiles, fullAbove)
  return chosen.length < 2 ? undefined : chosen
}

/** Its size as a fraction of a full file. */
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
