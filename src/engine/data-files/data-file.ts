import type { RowRanges, TimeBounds } from '../../lib/relation.ts'
import { type Table, timeColumn } from '../../lib/table.ts'
import type { Add } from '../delta/actions.ts'
import { HashedValue } from '../keys/bloom-filter.ts'
import type { FileFilter } from './file-filter.ts'
import { isOwnName } from './file-names.ts'
import type { FileScan } from './file-scan.ts'
import { type PathColumns, pathColumnsOf, sharedColumnsOf } from './path-tags.ts'

/** `after` < time ≤ `through`, in microseconds; either may be absent. */
export interface TimeRange {
  readonly after?: number | undefined
  readonly through?: number | undefined
}

const known = new WeakMap<object, TimeBounds>()

/**
 * The first and the last time of a file's rows in the column that follows the project in the order
 * of the table, in microseconds; infinite where nothing is known.
 */
export function timeBoundsOf(table: Table, { statistics }: Pick<FileScan, 'statistics'>): TimeBounds {
  const before = known.get(statistics)
  if (before !== undefined) return before
  const column = timeColumn(table)?.name
  const micros = (text: unknown) => (typeof text === 'string' ? Date.parse(text) * 1000 : Number.NaN)
  const [from, to] = [micros(statistics.minValues[column ?? '']), micros(statistics.maxValues[column ?? ''])]
  const bounds = [Number.isNaN(from) ? Number.NEGATIVE_INFINITY : from, Number.isNaN(to) ? Infinity : to] as const
  known.set(statistics, bounds)
  return bounds
}

export const overlaps = (
  [from, to]: TimeBounds,
  { after = Number.NEGATIVE_INFINITY, through = Number.POSITIVE_INFINITY }: TimeRange,
): boolean => to > after && from <= through

export const isWithin = (
  [from, to]: TimeBounds,
  { after = Number.NEGATIVE_INFINITY, through = Number.POSITIVE_INFINITY }: TimeRange,
): boolean => from > after && to <= through

/**
 * One Parquet file of a table's current state, with the metadata that is available without opening
 * it.
 */
export interface DataFile extends FileScan {
  readonly add: Add['add']
  readonly rows: number
  readonly bytes: number
  /** Which values of the table's `filtered` columns it may have. */
  readonly filter: FileFilter
  readonly pathColumns: PathColumns
  readonly sharedColumns: PathColumns
}

/** A condition that every requested row meets; used to skip files. */
export interface FilePredicate {
  readonly projectId: string
  /** Column → values, one of which the row has. Only `filtered` columns are considered. */
  readonly anyOf?: ReadonlyMap<string, readonly string[]>
  /** Paths that the request reads, by `columnPath`, and `sharedMembers`. */
  readonly paths?: readonly string[] | undefined
  /** The only rows that may match, by file name; any row of other files may. */
  readonly rowRanges?: ReadonlyMap<string, RowRanges> | undefined
  /** Only this many rows matter, those of the project that come last in the order of the table. */
  readonly lastRows?: number | undefined
  /** Only these files are considered. */
  readonly among?: (dataFile: DataFile) => boolean
  /** Rows in memory are left out; there may be no branch then. */
  readonly isOfFilesOnly?: true
  /** The row was written after this time, so files that are older do not contain it. */
  readonly writtenAfterMs?: number | undefined
  /** Names of files that are not to be read. */
  readonly except?: ReadonlySet<string> | undefined
  /** The times of all wanted rows in the table's second sort column. */
  readonly times?: TimeRange | undefined
  /** A time that every wanted row reaches in a column with bounds, in microseconds. */
  readonly reaching?: TimeInColumn | undefined
}

export interface TimeInColumn {
  readonly column: string
  readonly micros: number
}

export function dataFileOf(add: Add['add'], filter: FileFilter, reading: FileScan): DataFile {
  // Only this store knows what its columns hold.
  const stated = isOwnName(reading.fileName) ? add : {}
  const columns = { pathColumns: pathColumnsOf(stated), sharedColumns: sharedColumnsOf(stated) }
  return { ...reading, add, rows: reading.statistics.numRecords, bytes: add.size, filter, ...columns }
}

/** The column of the file that holds what a query asks for by this name (`FilePredicate.paths`). */
export const columnOfPath = ({ pathColumns, sharedColumns }: DataFile, path: string): string | undefined =>
  pathColumns.get(path) ?? sharedColumns.get(path)

/**
 * Whether the file differs from what this store writes, so that every reader has to convert columns
 * or skip deleted rows.
 */
export const needsRewrite = ({ converted, deletedRows }: DataFile): boolean => converted !== '' || deletedRows !== ''

/**
 * Returns a predicate that decides by bounds and filters alone whether a file may contain a
 * matching row. Values are hashed once, not per file.
 */
export function fileMatcher(
  table: Table,
  { projectId, anyOf = new Map(), writtenAfterMs = 0, times, reaching, except }: FilePredicate,
): (dataFile: DataFile) => boolean {
  const conditions = [...anyOf]
    .filter(([column]) => table.filtered.includes(column))
    .map(([column, values]) => ({
      column,
      wanted: values.map((value) => ({ value, hashes: new HashedValue(column, projectId, value) })),
    }))
  return (dataFile) =>
    except?.has(dataFile.fileName) !== true &&
    dataFile.add.modificationTime >= writtenAfterMs &&
    withinBounds(dataFile, table.key[0], projectId) &&
    (times === undefined || overlaps(timeBoundsOf(table, dataFile), times)) &&
    (reaching === undefined || mayReach(dataFile, reaching)) &&
    conditions.every(({ column, wanted }) =>
      wanted.some(({ value, hashes }) => withinBounds(dataFile, column, value) && dataFile.filter.mayHave(hashes)),
    )
}

/** Whether a row may have this time or a later one in a column. */
function mayReach({ statistics }: DataFile, { column, micros }: TimeInColumn): boolean {
  const max = statistics.maxValues[column]
  return typeof max !== 'string' || !(Date.parse(max) * 1000 < micros)
}

export function withinBounds({ statistics }: DataFile, column: string, value: string): boolean {
  const min = statistics.minValues[column]
  const max = statistics.maxValues[column]
  if (typeof min === 'string' && compareUtf8(value, min) < 0) return false
  if (typeof max === 'string' && compareUtf8(value, max) > 0) return false
  return true
}

/** Whether every row of the file has this text in the column. */
export const hasOnlyValue = ({ statistics }: DataFile, column: string, text: string): boolean =>
  statistics.nullCount[column] === 0 && statistics.minValues[column] === text && statistics.maxValues[column] === text

/** Whether every row of the file is a visible one of the project, unless a memtable masks it. */
export const isWholly = ({ key, presenceColumn }: Table, dataFile: DataFile, projectId: string): boolean =>
  hasOnlyValue(dataFile, key[0], projectId) &&
  dataFile.statistics.nullCount[presenceColumn] === 0 &&
  dataFile.deletedRows === ''

/** Whether the column is null in every row of the file. */
export const isAllNull = ({ statistics, rows, missing }: DataFile, name: string): boolean =>
  statistics.nullCount[name] === rows || missing.some((column) => column.name === name)

/** Compares by UTF-8 bytes, as DuckDB and Parquet bounds do. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left !== right) return utf8Rank(left) - utf8Rank(right)
  }
  return a.length - b.length
}

/** UTF-16 sorts surrogates below U+E000; UTF-8 sorts the characters they encode above U+FFFF. */
const utf8Rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)
