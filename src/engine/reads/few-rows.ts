import { readLimits } from '../../lib/limits/reads.ts'
import { itemAt, valueAt } from '../../lib/present.ts'
import type { RowRanges, TimeBounds } from '../../lib/relation.ts'
import type { Table } from '../../lib/table.ts'
import { readCost } from '../../runtime/platform/read-cost.ts'
import { type DataFile, hasOnlyValue, isAllNull, overlaps } from '../data-files/data-file.ts'
import { isOwnName } from '../data-files/file-names.ts'
import type { ColumnValues } from '../parquet/decode-values.ts'
import { type GroupRows, groupsWithin, type ParquetFile, rowsBetween } from '../parquet/parquet-file.ts'
import type { ParquetFiles } from '../parquet/parquet-files.ts'
import type { NamedCells } from './find-row.ts'
import { placeOrder, type RowPlace, type RowSource, type RowsWanted } from './rows-wanted.ts'
import { SkippedRows } from './skipped-rows.ts'

/** A row in a data file. */
export interface FoundRow extends RowPlace {
  readonly dataFile: DataFile
  readonly group: number
  /** Counted from the start of the row group. */
  readonly row: number
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
  private readonly skipped: SkippedRows

  constructor(files: ParquetFiles, source: RowSource, wanted: RowsWanted) {
    this.files = files
    this.source = source
    this.wanted = wanted
    this.skipped = new SkippedRows(source, wanted)
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

  /** How many of the first rows `find` has left out; none of them was wanted. */
  get rowsSkipped(): number {
    return this.skipped.rows
  }

  /**
   * The rows that match, in order.
   *
   * @param signal aborts the wait for other reads
   * @throws Error if they are too many or too far apart, or if a file is malformed
   */
  async find(signal: AbortSignal): Promise<readonly FoundRow[]> {
    const open = <T>(file: DataFile, use: (opened: ParquetFile) => Promise<T>) => this.read(file, signal, use)
    const queue = await this.skipped.filesLeft(open)
    if ((this.limitLeft ?? 0) > readLimits.pointPlacesMax) throw new TooManyRows()
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
            using values = await file.values(
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
      if (this.skipped.has(dataFile, group.group)) continue
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
    using values = await file.values([...new Set(narrow)], group, inRange)
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
    if (this.found.length > 2 * Math.max(readLimits.pointRowsMax, this.limitLeft ?? 0)) this.cut()
  }

  /** Whether no row between these times can be among the first ones. */
  private isBeyond([from, to]: TimeBounds): boolean {
    const { isTimeDescending } = this.wanted
    const limit = this.limitLeft
    if (limit === undefined || this.found.length < limit) return false
    this.cut()
    const worst = this.found.at(-1)
    return worst !== undefined && (isTimeDescending ? to < worst.time : from > worst.time)
  }

  /** Sorts the rows, and leaves the first ones only. */
  private cut(): void {
    const limit = this.limitLeft
    this.found.sort(placeOrder(this.wanted))
    this.found.length = Math.min(this.found.length, limit ?? this.found.length)
    if (limit === undefined && this.found.length > readLimits.pointRowsMax) throw new TooManyRows()
  }

  /** How many of the first rows matter, but for those that have been left out. */
  private get limitLeft(): number | undefined {
    const { limit } = this.wanted
    return limit === undefined ? undefined : limit - this.skipped.rows
  }
}

const cellsOf = (columns: readonly string[], values: ReadonlyMap<string, ColumnValues>, row: number): NamedCells =>
  Object.fromEntries(columns.map((name) => [name, values.get(name)?.cell(row) ?? null]))

const textBytesOf = (values: ReadonlyMap<string, ColumnValues>, row: number): number =>
  values.values().reduce((sum, column) => sum + column.textBytes(row), 0)
