import { wordAt } from '../../lib/bytes.ts'
import { readLimits } from '../../lib/limits/reads.ts'
import { itemAt } from '../../lib/present.ts'
import type { RowRanges, TimeBounds } from '../../lib/relation.ts'
import { type DataFile, isWholly, isWithin, timeBoundsOf } from '../data-files/data-file.ts'
import type { Footer } from '../parquet/footer.ts'
import { groupsWithin, type ParquetFile } from '../parquet/parquet-file.ts'
import type { RowSource, RowsWanted } from './rows-wanted.ts'

/** Rows of a file or of a row group. */
interface CountedRows {
  /** Their times; other rows are not among them. */
  readonly bounds: TimeBounds
  /** At most so many of them match. */
  readonly rows: number
  /** Whether all of them match. */
  readonly allMatch: boolean
}

/**
 * Parts of a table whose rows are all among the first `offset` ones in time order: an answer from
 * there on does not depend on them, so they are counted instead of read.
 */
function skippableParts<Part extends CountedRows>(
  parts: readonly Part[],
  { offset, isDescending }: { readonly offset: number; readonly isDescending: boolean },
): readonly Part[] {
  /** Where the rows of a part begin and end in the order. */
  const placeOf = ({ bounds: [from, to] }: Part) =>
    isDescending ? ({ first: -to, last: -from } as const) : ({ first: from, last: to } as const)
  const inOrder = parts.toSorted((a, b) => compareNumbers([placeOf(a).first, placeOf(b).first]))
  let rows = 0
  const reached = inOrder.find((part) => {
    rows += part.rows
    return rows > offset
  })
  // Rows before the first one of this part are at most `offset`.
  const edge = reached === undefined ? Number.POSITIVE_INFINITY : placeOf(reached).first
  return parts.filter((part) => part.allMatch && placeOf(part).last < edge)
}

/** Also of infinite numbers. */
const compareNumbers = ([a, b]: readonly [number, number]): number => (a === b ? 0 : a < b ? -1 : 1)

/** A data file that may have wanted rows. */
interface QueuedFile extends CountedRows {
  readonly dataFile: DataFile
  readonly ranges: RowRanges | undefined
}

/** A row group, or the part of it that may have wanted rows. */
interface RowGroup extends CountedRows {
  readonly dataFile: DataFile
  readonly group: number
}

type OpenFile = <T>(dataFile: DataFile, use: (file: ParquetFile) => Promise<T>) => Promise<T>

/** Rows before the wanted ones that are counted by files and row groups instead of being read. */
export class SkippedRows {
  private readonly source: RowSource
  private readonly wanted: RowsWanted
  private count = 0
  private readonly groups = new Map<DataFile, ReadonlySet<number>>()

  constructor(source: RowSource, wanted: RowsWanted) {
    this.source = source
    this.wanted = wanted
  }

  get rows(): number {
    return this.count
  }

  has(dataFile: DataFile, group: number): boolean {
    return this.groups.get(dataFile)?.has(group) === true
  }

  /**
   * The files that may have wanted rows, in order, without those of which every row precedes the
   * wanted ones. The same is found out about row groups, for `has`.
   */
  async filesLeft(open: OpenFile): Promise<readonly QueuedFile[]> {
    const queue = this.queue()
    const isWorthIt = this.wanted.offset >= readLimits.pointSkippedMin && this.isOnlyTimes
    return isWorthIt ? await this.skip(queue, open) : queue
  }

  private async skip(queue: readonly QueuedFile[], open: OpenFile): Promise<readonly QueuedFile[]> {
    const files = this.leaveOut(queue)
    const left = queue.filter((file) => !files.has(file))
    const opened: QueuedFile[] = []
    for (let rows = 0, at = 0; rows <= this.offsetLeft && at < left.length; at++) {
      const file = itemAt(left, at)
      opened.push(file)
      rows += file.rows
    }
    if (opened.length > readLimits.pointFilesMax) return left
    const groups: RowGroup[] = []
    for (const { dataFile, ranges } of opened)
      groups.push(...(await open(dataFile, async ({ footer }) => this.groupsOf(footer, dataFile, ranges))))
    const others = left.slice(opened.length).map((file) => ({ ...file, allMatch: false, group: 0 }))
    for (const [dataFile, some] of Map.groupBy(this.leaveOut([...groups, ...others]), (part) => part.dataFile))
      this.groups.set(dataFile, new Set(some.map(({ group }) => group)))
    return left
  }

  /** Those that need not be read; they are counted. */
  private leaveOut<Part extends CountedRows>(parts: readonly Part[]): ReadonlySet<Part> {
    const { isTimeDescending: isDescending } = this.wanted
    const found = new Set(skippableParts(parts, { offset: this.offsetLeft, isDescending }))
    for (const { rows } of found) this.count += rows
    return found
  }

  private get offsetLeft(): number {
    return this.wanted.offset - this.count
  }

  /** The files that may have wanted rows, in order. */
  private queue(): QueuedFile[] {
    const { table, dataFiles, rowRanges } = this.source
    const { isTimeDescending } = this.wanted
    return dataFiles
      .map((dataFile) => {
        const { rows, fileName } = dataFile
        const bounds = timeBoundsOf(table, dataFile)
        const ranges = rowRanges.get(fileName)
        const isWhole = ranges === undefined || ranges.some(([first, last]) => first === 0 && last === rows - 1)
        return { dataFile, bounds, ranges, rows, allMatch: isWhole && this.allMatch(dataFile, bounds) }
      })
      .filter(({ ranges }) => ranges?.length !== 0)
      .toSorted((a, b) => compareNumbers(isTimeDescending ? [b.bounds[1], a.bounds[1]] : [a.bounds[0], b.bounds[0]]))
  }

  /** Whether nothing but their times tells wanted rows from others. */
  private get isOnlyTimes(): boolean {
    const { oneOf, areNull } = this.wanted
    return this.source.isAll && oneOf.size === 0 && areNull.length === 0
  }

  /** Whether all rows of a file between these times match, if only their times matter. */
  private allMatch(dataFile: DataFile, bounds: TimeBounds): boolean {
    const { table, projectId } = this.source
    return isWholly(table, dataFile, projectId) && isWithin(bounds, this.wanted.times)
  }

  private groupsOf(footer: Footer, dataFile: DataFile, ranges: RowRanges = [[0, dataFile.rows - 1]]): RowGroup[] {
    const timeColumn = itemAt(this.source.table.order, 1)
    return groupsWithin(footer, ranges).map(({ group, first, last }) => {
      const bounds = footer.bounds(timeColumn, group)
      const rows = last - first + 1
      const isWhole = rows === wordAt(footer.groupStarts, group + 1) - wordAt(footer.groupStarts, group)
      return { dataFile, group, bounds, rows, allMatch: isWhole && this.allMatch(dataFile, bounds) }
    })
  }
}
