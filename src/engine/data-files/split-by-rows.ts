import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt } from '../../lib/present.ts'
import type { RowRanges } from '../../lib/relation.ts'
import { rowsIn, union } from '../../lib/row-ranges.ts'
import type { DataFile, FilePredicate } from './data-file.ts'

/** Files that are read together, and the only rows of each that may match. */
interface FilesToRead {
  readonly dataFiles: readonly DataFile[]
  /** Undefined: any row. */
  readonly rowRanges?: RowRanges
}

/**
 * Divides files into those that are read whole and those of which only some rows may match, and
 * leaves out those of which none may. DuckDB skips row groups outside of one range, but not outside
 * of several, so each range is read by itself, with the same range of other files, as far as there
 * are not too many of them.
 */
export function splitByRows(dataFiles: readonly DataFile[], rowRanges: FilePredicate['rowRanges']): FilesToRead[] {
  if (rowRanges === undefined || rowRanges.size === 0) return dataFiles.length === 0 ? [] : [{ dataFiles }]
  const whole: DataFile[] = []
  const partial: [DataFile, RowRanges][] = []
  for (const dataFile of dataFiles) {
    const ranges = rowRanges.get(dataFile.fileName)
    const share = ranges === undefined ? 1 : rowsIn(ranges) / dataFile.rows
    if (ranges === undefined || share > partialShareMax) whole.push(dataFile)
    else if (share > 0) partial.push([dataFile, aligned(dataFile, ranges)])
  }
  const groups: FilesToRead[] = whole.length === 0 ? [] : [{ dataFiles: whole }]
  return [...groups, ...(groupedByRange(partial) ?? groupedInOrder(partial))]
}

/**
 * Ranges that reach to the ends of row groups, which are read as a whole, so that files share them.
 */
function aligned({ rows, bytes }: DataFile, ranges: RowRanges): RowRanges {
  // Wide rows are in smaller row groups, and have shorter ranges.
  const isShort = ([first, last]: readonly [number, number]) => last - first + 1 < alignedRowsMin && last < rows - 1
  if (bytes > rows * storageLimits.alignedRowBytesMax || ranges.some(isShort)) return ranges
  const unit = storageLimits.rowGroupRowsMax
  return union(ranges.map(([first, last]) => [first - (first % unit), last - (last % unit) + unit - 1]))
}

/** Files with the same range together; undefined if there are too many ranges. */
function groupedByRange(partial: readonly [DataFile, RowRanges][]): FilesToRead[] | undefined {
  const pairs = partial.flatMap(([dataFile, ranges]) => ranges.map((range) => ({ dataFile, range })))
  const byRange = Map.groupBy(pairs, ({ range }) => range.join())
  if (byRange.size > storageLimits.partialFileGroupsMax) return undefined
  return [...byRange.values()].map((some) => ({
    dataFiles: some.map(({ dataFile }) => dataFile),
    rowRanges: [itemAt(some, 0).range],
  }))
}

/** Neighbouring files together, with the ranges of all of them. */
function groupedInOrder(partial: readonly [DataFile, RowRanges][]): FilesToRead[] {
  const groups: FilesToRead[] = []
  const together = Math.ceil(partial.length / storageLimits.partialFileGroupsMax)
  for (let from = 0; from < partial.length; from += together) {
    const some = partial.slice(from, from + together)
    groups.push({
      dataFiles: some.map(([dataFile]) => dataFile),
      rowRanges: union(some.flatMap(([, ranges]) => ranges)),
    })
  }
  return groups
}

/** Shorter ranges are not of usual row groups. */
const alignedRowsMin = 2048

/** Beyond this share of its rows, a file is read whole with others. */
const partialShareMax = 0.5
