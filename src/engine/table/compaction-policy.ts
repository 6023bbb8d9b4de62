import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt } from '../../lib/present.ts'
import type { Table } from '../../lib/table.ts'
import { type DataFile, needsRewrite } from '../data-files/data-file.ts'
import { oldestFirst } from '../data-files/open-data-files.ts'
import { usualRowsMax } from '../data-files/rewrite-rows.ts'

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
export const [, , , , { below: fullAbove }] = tiers
/** Files above the last tier, up to this size, are merged in pairs once there are so many. */
const pairedBelow = 3 / 4
const pairsFrom = 4
if (tiers.some(({ below }, index) => below <= (tiers[index - 1]?.below ?? 0)))
  throw new Error('The tiers of the compaction policy do not ascend')

/**
 * Selects files to merge into one: once a tier has enough files, all files up to its size, oldest
 * first, as many as fit into one file. The result moves up a tier sooner or later, so a row is
 * rewritten a few times rather than with every flush, and a table has at most about twenty files
 * that are not full. Those beyond all tiers are merged in pairs.
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
  return closestPair(table, dataFiles, pairsFrom)
}

/** The same for any number of files from two up. */
export function selectAnySmall(table: Table, dataFiles: readonly DataFile[]): DataFile[] | undefined {
  const readAround = dataFiles.find(needsRewrite)
  if (readAround !== undefined) return [readAround]
  const chosen = fillOneFile(table, dataFiles, fullAbove)
  return chosen.length < 2 ? closestPair(table, dataFiles, 2) : chosen
}

/**
 * Two neighbours of the files that have more than half of the rows of a full one, and so do not
 * fit into one with another: parts of a file that was split, or files that have lost rows. Together
 * they are full, so they are not selected again. Files of few wide rows are left alone: every flush
 * writes such.
 *
 * @returns the emptiest pair; undefined if there are fewer of these files than `minFiles`
 */
function closestPair(table: Table, dataFiles: readonly DataFile[], minFiles: number): DataFile[] | undefined {
  const isHalf = (file: DataFile) =>
    file.rows >= storageLimits.memtableRowsMax * fullAbove && fillOf(file) < pairedBelow
  const some = oldestFirst(table, dataFiles).filter(isHalf)
  if (some.length < minFiles) return undefined
  const pairs = some.slice(1).map((file, index) => [itemAt(some, index), file])
  const fillOfPair = (pair: readonly DataFile[]) => pair.reduce((sum, file) => sum + fillOf(file), 0)
  return pairs.toSorted((a, b) => fillOfPair(a) - fillOfPair(b))[0]
}

/** Its size as a fraction of a full file. */
export const fillOf = ({ rows, bytes }: DataFile): number =>
  Math.max(rows / storageLimits.memtableRowsMax, bytes / storageLimits.mergedBytesMax)

/**
 * Whether a file is larger than flushes, and merges of small files, make them. No flush rewrites it
 * because of a few changes: it is split first. See docs/decisions/309-cold-files.md.
 */
export const isCold = ({ rows, bytes }: Pick<DataFile, 'rows' | 'bytes'>): boolean =>
  rows > usualRowsMax() || bytes > storageLimits.coldBytesMin

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
