import type { RowRanges } from '../../lib/relation.ts'
import type { Table } from '../../lib/table.ts'
import { compareUtf8, type DataFile, type TimeRange } from '../data-files/data-file.ts'
import type { TableLayout } from '../layout.ts'

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
  /** How many of these are not wanted themselves. */
  readonly offset: number
}

/** Where a row is, and its place in the order. */
export interface RowPlace {
  readonly time: number
  readonly id: string
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
  /** Whether files are all that there is: newer layers neither hide nor have a row. */
  readonly isAll: boolean
}

/** Compares rows by their places in the order. */
export function placeOrder({
  isTimeDescending,
  isIdDescending,
}: Pick<RowsWanted, 'isTimeDescending' | 'isIdDescending'>): (a: RowPlace, b: RowPlace) => number {
  const [byTime, byId] = [isTimeDescending ? -1 : 1, isIdDescending ? -1 : 1]
  return (a, b) => byTime * (a.time - b.time) || byId * compareUtf8(a.id, b.id)
}
