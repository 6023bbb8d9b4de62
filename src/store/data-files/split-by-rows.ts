import type { RowRanges } from '../../kernel/relation.ts'
import { limits } from '../../limits.ts'
import type { DataFile, FilePredicate } from './data-file.ts'

/** Files that are read together, and the only rows of each that may match. */
interface FilesToRead {
  readonly dataFiles: readonly DataFile[]
  /** Undefined: any row. */
  readonly rowRanges?: RowRanges
}

/**
 * Divides files into those that are read whole and those of which only some rows may match, and
 * leaves out those of which none may. The row numbers of a group are those of all its files, so
 * groups are small, as far as there are not too many of them.
 */
export function splitByRows(dataFiles: readonly DataFile[], rowRanges: FilePredicate['rowRanges']): FilesToRead[] {
  if (rowRanges === undefined || rowRanges.size === 0) return dataFiles.length === 0 ? [] : [{ dataFiles }]
  const whole: DataFile[] = []
  const partial: DataFile[] = []
  for (const dataFile of dataFiles) {
    const ranges = rowRanges.get(dataFile.fileName)
    const share = ranges === undefined ? 1 : rowsIn(ranges) / dataFile.rows
    if (share > partialShareMax) whole.push(dataFile)
    else if (share > 0) partial.push(dataFile)
  }
  const groups: FilesToRead[] = whole.length === 0 ? [] : [{ dataFiles: whole }]
  const together = Math.ceil(partial.length / limits.partialFileGroupsMax)
  for (let from = 0; from < partial.length; from += together) {
    const some = partial.slice(from, from + together)
    groups.push({ dataFiles: some, rowRanges: union(some.flatMap(({ fileName }) => rowRanges.get(fileName)!)) })
  }
  return groups
}

/** Beyond this share of its rows, a file is read whole with others. */
const partialShareMax = 0.5

const rowsIn = (ranges: RowRanges): number => ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)

function union(ranges: RowRanges): RowRanges {
  const merged: [number, number][] = []
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const before = merged.at(-1)
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else merged.push([first, last])
  }
  return merged
}
