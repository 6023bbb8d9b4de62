import { numberAt } from '../../lib/bytes.ts'
import { itemAt } from '../../lib/present.ts'
import type { Cell, Column, Table } from '../../lib/table.ts'
import { textLiteral, typedNulls } from '../../runtime/duck/column-types.ts'
import { conversionSql, filesSql } from '../../runtime/duck/files-sql.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { FileStatistics } from '../delta/actions.ts'
import { readDeletedRows } from '../delta/deletion-vector.ts'
import type { TableFile } from '../delta/delta-state.ts'
import type { TableLayout } from '../layout.ts'
import { isOwnName } from './file-names.ts'

/** The columns of a table that are stored in its data files. */
export const fileColumns = (table: Table): Column[] => table.columns.filter((column) => column.storedIn !== 'wal')

/** Their names as a select list over `t`. */
export const fileColumnList = (table: Table): string =>
  fileColumns(table)
    .map(({ name }) => `t."${name}"`)
    .join(', ')

/**
 * Computes the row count of `source` (a FROM clause over file columns, named `t`), the null counts
 * of all columns, and the bounds of the `bounded` ones.
 *
 * @param options `only`: skips the other columns, which hold most of the bytes
 */
export async function computeStatistics(
  writer: Writer,
  table: Table,
  source: string,
  options: { only?: 'bounded' } = {},
): Promise<FileStatistics> {
  const bounded = fileColumns(table).filter(({ name }) => table.bounded.includes(name))
  const columns = options.only === 'bounded' ? bounded : fileColumns(table)
  const sums = [
    ...columns.map(({ name }) => `count(*) - count(t."${name}")`),
    ...bounded.map(({ name }) => `min(t."${name}"), max(t."${name}")`),
  ]
  const [found = []] = await writer.rows(`SELECT ${['count(*)', ...sums].join(', ')} FROM ${source}`)
  const [numRecords = 0, ...nulls] = found.slice(0, 1 + columns.length).map(Number)
  const nullCount = Object.fromEntries(columns.map(({ name }, index) => [name, numberAt(nulls, index)]))
  const minValues: Record<string, string | number> = {}
  const maxValues: Record<string, string | number> = {}
  bounded.forEach((column, index) => {
    const [min, max] = found.slice(1 + columns.length + index * 2)
    if (isScalar(min)) minValues[column.name] = statistic(column, min, Math.floor)
    if (isScalar(max)) maxValues[column.name] = statistic(column, max, Math.ceil)
  })
  return { numRecords, minValues, maxValues, nullCount }
}

/** Delta keeps timestamp bounds in milliseconds; rounding outward keeps them valid. */
function statistic(column: Column, cell: string | number, round: (value: number) => number): string | number {
  return column.type === 'time' ? new Date(round(Number(cell) / 1000)).toISOString() : cell
}

const isScalar = (cell: Cell | undefined): cell is string | number =>
  typeof cell === 'string' || typeof cell === 'number'

/** How to read one data file, and the metadata about its rows that needs no read. */
export interface FileScan {
  /** Name relative to the table's folder. */
  readonly fileName: string
  readonly statistics: FileStatistics
  /** Columns of the table that the file lacks; they read as null. */
  readonly missing: readonly Column[]
  /** Columns that another engine wrote with another type, as items of a REPLACE clause. */
  readonly converted: string
  /** Row numbers that a deletion vector removes, comma-separated; empty if there are none. */
  readonly deletedRows: string
}

/**
 * Determines how to read a file. Files of this store carry correct statistics. Other files, and
 * those from which another engine deleted rows, are inspected and measured: their statistics may be
 * missing, truncated or about deleted rows.
 *
 * @throws Error if the file is missing, lies outside the folder or has incompatible columns
 */
export async function resolveScan(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  file: TableFile,
  stated = ownFileScan(table, file),
): Promise<FileScan> {
  const { add } = file
  const fileName = fileNameOf(add.path)
  const failed = (what: string, cause?: unknown) =>
    new Error(`Cannot open table ${table.name}: its data file ${fileName} ${what}`, { cause })
  if (/^([a-z][a-z0-9+.-]*:|\/)|(^|\/)\.\.(\/|$)/i.test(fileName)) throw failed(`is outside ${layout.folder}`)
  if (!(await layout.files.exists(layout.parquet(fileName)))) throw failed(`is missing in ${layout.folder}`)
  if (stated !== undefined) return stated
  try {
    const shape = await shapeOf(writer, table, layout.parquet(fileName))
    const { deletionVector } = add
    const deleted = deletionVector === undefined ? [] : await readDeletedRows(layout.folder, deletionVector)
    const unmeasured = { fileName, ...shape, deletedRows: deleted.join(',') }
    const measured = await computeStatistics(writer, table, `${fileSource(layout, [unmeasured])} t`, {
      only: 'bounded',
    })
    return { ...unmeasured, statistics: measured }
  } catch (cause) {
    throw failed(`cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
  }
}

/**
 * How to read a file of this store from its statistics alone, even if it is damaged. Undefined for
 * other files.
 */
export function ownFileScan(table: Table, file: TableFile): FileScan | undefined {
  const fileName = fileNameOf(file.add.path)
  const statistics = ownStatistics(file, fileName)
  if (statistics === undefined || !countsEveryColumn(table, statistics)) return undefined
  const missing = fileColumns(table).filter(
    ({ name }) => !file.columns.includes(name) || !(name in statistics.nullCount),
  )
  return { fileName, statistics, missing, converted: '', deletedRows: '' }
}

/**
 * Whether the statistics cover all columns of the file. The first versions counted nulls in columns
 * with bounds only; the others would seem to be missing.
 */
function countsEveryColumn(table: Table, { nullCount }: FileStatistics): boolean {
  const others = fileColumns(table).filter(({ name }) => !table.bounded.includes(name))
  return others.length === 0 || others.some(({ name }) => name in nullCount)
}

/** The file name that an `add` or `remove` action refers to. */
export function fileNameOf(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // Some writers do not percent-encode it.
    return path
  }
}

/** A FROM item over files of the same shape. A file with deleted rows is read alone. */
export function fileSource(
  layout: TableLayout,
  files: readonly Pick<FileScan, 'fileName' | 'missing' | 'converted' | 'deletedRows'>[],
): string {
  const { missing, converted, deletedRows } = itemAt(files, 0)
  const paths = files.map(({ fileName }) => textLiteral(layout.parquet(fileName))).join(', ')
  const shape = { missing: typedNulls(missing), converted }
  return filesSql(`[${paths}]`, shape, deletedRows === '' ? undefined : textLiteral(deletedRows))
}

/**
 * A FROM item over all rows of a file, also those that its deletion vector removes. An index has
 * these as well: when another engine changes the vector, as to restore rows, the index stays.
 */
export function allRowsSource({ key }: Table, layout: TableLayout, file: FileScan): string {
  const source = fileSource(layout, [{ ...file, deletedRows: '' }])
  // A row without a project belongs into no table; it may have been deleted for that.
  return file.deletedRows === '' ? source : `(FROM ${source} WHERE "${key[0]}" IS NOT NULL)`
}

/**
 * The statistics that this store wrote for a file; undefined if there are none or they no longer
 * hold.
 */
function ownStatistics({ add }: TableFile, fileName: string): FileStatistics | undefined {
  if (!isOwnName(fileName) || add.stats === undefined || add.deletionVector !== undefined) return undefined
  const stated: Partial<FileStatistics> & { tightBounds?: boolean } = JSON.parse(add.stats)
  const { numRecords, minValues = {}, maxValues = {}, nullCount } = stated
  if (numRecords === undefined || nullCount === undefined || stated.tightBounds === false) return undefined
  return { numRecords, minValues, maxValues, nullCount }
}

async function shapeOf(writer: Writer, table: Table, path: string): Promise<{ missing: Column[]; converted: string }> {
  const described = await writer.read(
    { name: 'text', type: 'text' },
    `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet(${textLiteral(path)}))`,
  )
  const types = new Map(described.map(({ name, type }) => [name, type]))
  const columns = fileColumns(table)
  const conversions = columns.flatMap((column) => {
    const type = types.get(column.name)
    return (type === undefined ? undefined : conversionSql(column, type)) ?? []
  })
  return { missing: columns.filter(({ name }) => !types.has(name)), converted: conversions.join(', ') }
}
