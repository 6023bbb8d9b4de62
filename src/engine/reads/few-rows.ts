import { readLimits } from '../../lib/limits/reads.ts'
import { itemAt, valueAt } from '../../lib/present.ts'
import type { RowRanges, TimeBounds } from '../../lib/relation.ts'
import type { Table } from '../../lib/table.ts'
import { readCost } from '../../runtime/platform/read-cost.ts'
import {
  compareUtf8,
  type DataFile,
  hasOnlyValue,
  isAllNull,
  overlaps,
  type TimeRange,
  timeBoundsOf,
} from '../data-files/data-file.ts'
import { isOwnName } from '../data-files/file-names.ts'
import type { TableLayout } from '../layout.ts'
import type { ColumnValues } from '../parquet/decode-values.ts'
import { type GroupRows, groupsWithin, type ParquetFile, rowsBetween } from '../parquet/parquet-file.ts'
import type { ParquetFiles } from '../parquet/parquet-files.ts'
import type { NamedCells } from './find-row.ts'

/** Which rows of a project are wanted, by conditions that are checked without DuckDB. */
export interface RowsWanted {
  /** Text column → texts, one of which the row has. */
  readonly oneOf: ReadonlyMap<string, readonly string[]>
  /** Text columns that are null. */
  readonly areNull: readonly string[]
  /** The times in the table's second sort column. */
  readonly times: TimeRange
  /** Whether the last rows by time come first, and among the rows of one time those by id. */
  readonly isTimeDescending: boolean
  readonly isIdDescending: boolean
  /** How many of the first rows matter; undefined for all. */
  readonly limit: number | undefined
}

/** Where a row is, and its place in the order. */
export interface RowPlace {
  readonly time: number
  readonly id: string
}

/** A row in a data file. */
export interface FoundRow extends RowPlace {
  readonly dataFile: DataFile
  readonly group: number
  /** Counted from the start of the row group. */
  readonly row: number
}

/** Rows in data files. */
export interface RowSource {
  readonly table: Table
  readonly layout: TableLayout
  readonly projectId: string
  readonly dataFiles: readonly DataFile[]
  /** The only rows that may match, by file name; any row of other files may. */
  readonly rowRanges: ReadonlyMap<string, RowRanges>
  /** Whether a newer layer hides the row with this id. */
  readonly isHidden: (id: string) => boolean
}

/** More rows match than `FewRows` reads; DuckDB reads them instead. */
class TooManyRows extends Error {}

/**
 * Finds and reads a few rows of data files without DuckDB: first the columns of the conditions and
 * of the order, then the wide ones of the rows in the answer. See
 * docs/performance-log.md, entry 158.
 */
export class FewRows {
  private readonly files: ParquetFiles
  private readonly source: RowSource
  private readonly wanted: RowsWanted
  private groupsLeft = readLimits.pointGroupsMax
  private found: FoundRow[] = []

  constructor(files: ParquetFiles, source: RowSource, wanted: RowsWanted) {
    this.files = files
    this.source = source
    this.wanted = wanted
  }

  /** Whether the files can be read in this way. */
  static canRead({ order, presenceColumn }: Table, dataFiles: readonly DataFile[]): boolean {
    return dataFiles.every(({ fileName, converted, deletedRows, bytes, rows, statistics: { nullCount } }) => {
      const isOwn = isOwnName(fileName) && converted === '' && deletedRows === ''
      // Rows without a time cannot be shown yet.
      const hasTimes = (nullCount[itemAt(order, 1)] ?? rows) <= (nullCount[presenceColumn] ?? 0)
      return isOwn && hasTimes && bytes <= rows * readLimits.pointRowBytesMax
    })
  }

  /**
   * The rows that match, in order.
   *
   * @param signal aborts the wait for other reads
   * @throws Error if they are too many or too far apart, or if a file is malformed
   */
  async find(signal: AbortSignal): Promise<readonly FoundRow[]> {
    const { table, dataFiles, rowRanges } = this.source
    const { isTimeDescending } = this.wanted
    const queue = dataFiles
      .map((dataFile) => ({
        dataFile,
        bounds: timeBoundsOf(table, dataFile),
        ranges: rowRanges.get(dataFile.fileName),
      }))
      .filter(({ ranges }) => ranges?.length !== 0)
      .toSorted((a, b) => compareNumbers(isTimeDescending ? [b.bounds[1], a.bounds[1]] : [a.bounds[0], b.bounds[0]]))
    for (const { dataFile, bounds, ranges } of queue) {
      if (this.isBeyond(bounds)) continue
      await this.read(dataFile, signal, (file) => this.searchFile(file, dataFile, ranges))
    }
    this.cut()
    return this.found
  }

  /**
   * The cells of some of the rows that `find` has returned.
   *
   * @throws Error if they are too large, or if a file is malformed
   */
  async cells(
    places: readonly FoundRow[],
    columns: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly NamedCells[]> {
    const byFile = Map.groupBy(places, ({ dataFile }) => dataFile)
    const cells = new Map<RowPlace, NamedCells>()
    let bytesLeft: number = readLimits.pointAnswerBytesMax
    await Promise.all(
      byFile.entries().map(([dataFile, inFile]) =>
        this.read(dataFile, signal, async (file) => {
          const stored = columns.filter((name) => !isAllNull(dataFile, name))
          for (const [group, rows] of Map.groupBy(inFile, (row) => row.group)) {
            const ascending = rows.toSorted((a, b) => a.row - b.row)
            const values = await file.values(
              stored,
              group,
              ascending.map(({ row }) => row),
            )
            for (const [index, place] of ascending.entries()) {
              bytesLeft -= textBytesOf(values, index)
              if (bytesLeft < 0) throw new TooManyRows()
              cells.set(place, cellsOf(columns, values, index))
            }
          }
        }),
      ),
    )
    return places.map((place) => valueAt(cells, place))
  }

  private read<T>(dataFile: DataFile, signal: AbortSignal, read: (file: ParquetFile) => Promise<T>): Promise<T> {
    const path = this.source.layout.parquet(dataFile.fileName)
    readCost()?.filesRead.add(path)
    return this.files.read(path, signal, read)
  }

  private async searchFile(file: ParquetFile, dataFile: DataFile, ranges: RowRanges | undefined): Promise<void> {
    const { footer } = file
    const timeColumn = itemAt(this.source.table.order, 1)
    const groups = groupsWithin(footer, ranges ?? [[0, dataFile.rows - 1]])
    if (this.wanted.isTimeDescending) groups.reverse()
    for (const group of groups) {
      const bounds = footer.bounds(timeColumn, group.group)
      if (!overlaps(bounds, this.wanted.times) || this.isBeyond(bounds)) continue
      if (this.groupsLeft-- === 0) throw new TooManyRows()
      await this.searchGroup(file, dataFile, group)
    }
  }

  private async searchGroup(file: ParquetFile, dataFile: DataFile, { group, first, last }: GroupRows): Promise<void> {
    const { table, projectId, isHidden } = this.source
    const [projectColumn, idColumn] = table.key
    const { presenceColumn } = table
    const { oneOf, areNull, times } = this.wanted
    const isOneProject = hasOnlyValue(dataFile, projectColumn, projectId)
    const required = [...oneOf, ...(isOneProject ? [] : [[projectColumn, [projectId]] as const])]
    const isAlwaysVisible = dataFile.statistics.nullCount[presenceColumn] === 0
    const nulls = areNull.filter((name) => !isAllNull(dataFile, name))
    const timeColumn = itemAt(table.order, 1)
    const narrow = [timeColumn, idColumn, ...required.map(([name]) => name), ...nulls, presenceColumn]
    const inRange = rowsBetween(first, last)
    const values = await file.values([...new Set(narrow)], group, inRange)
    const conditions = required.map(([name, texts]) => ({
      column: valueAt(values, name),
      texts: texts.map((text) => new TextEncoder().encode(text)),
    }))
    const [timesOf, ids] = [valueAt(values, timeColumn), valueAt(values, idColumn)]
    const presence = valueAt(values, presenceColumn)
    const absent = nulls.map((name) => valueAt(values, name))
    const { after = Number.NEGATIVE_INFINITY, through = Number.POSITIVE_INFINITY } = times
    for (const [index, row] of inRange.entries()) {
      if (!conditions.every(({ column, texts }) => texts.some((text) => column.hasText(index, text)))) continue
      if (!absent.every((column) => column.isNull(index)) || (!isAlwaysVisible && presence.isNull(index))) continue
      const [time, id] = [timesOf.cell(index), ids.cell(index)]
      // DuckDB knows where rows without a time belong.
      if (typeof time !== 'number' || typeof id !== 'string') throw new TooManyRows()
      if (time > after && time <= through && !isHidden(id)) this.found.push({ dataFile, group, row, time, id })
    }
    if (this.found.length > 2 * readLimits.pointRowsMax) this.cut()
  }

  /** Whether no row between these times can be among the first ones. */
  private isBeyond([from, to]: TimeBounds): boolean {
    const { limit, isTimeDescending } = this.wanted
    if (limit === undefined || this.found.length < limit) return false
    this.cut()
    const worst = this.found.at(-1)
    return worst !== undefined && (isTimeDescending ? to < worst.time : from > worst.time)
  }

  /** Sorts the rows, and leaves the first ones only. */
  private cut(): void {
    const { limit = this.found.length } = this.wanted
    this.found.sort(placeOrder(this.wanted))
    this.found.length = Math.min(this.found.length, limit)
    if (this.found.length > readLimits.pointRowsMax) throw new TooManyRows()
  }
}

/** Compares rows by their places in the order. */
export function placeOrder({
  isTimeDescending,
  isIdDescending,
}: Pick<RowsWanted, 'isTimeDescending' | 'isIdDescending'>): (a: RowPlace, b: RowPlace) => number {
  const [byTime, byId] = [isTimeDescending ? -1 : 1, isIdDescending ? -1 : 1]
  return (a, b) => byTime * (a.time - b.time) || byId * compareUtf8(a.id, b.id)
}

/** Also of infinite numbers. */
const compareNumbers = ([a, b]: readonly [number, number]): number => (a === b ? 0 : a < b ? -1 : 1)

const cellsOf = (columns: readonly string[], values: ReadonlyMap<string, ColumnValues>, row: number): NamedCells =>
  Object.fromEntries(columns.map((name) => [name, values.get(name)?.cell(row) ?? null]))

const textBytesOf = (values: ReadonlyMap<string, ColumnValues>, row: number): number =>
  values.values().reduce((sum, column) => sum + column.textBytes(row), 0)
