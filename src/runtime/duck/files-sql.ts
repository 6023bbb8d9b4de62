import type { Column } from '../../lib/table.ts'
import { duckTypes } from './column-types.ts'

/** How to read files whose columns differ from those of their table. */
export interface FileShape {
  /** Select list for the columns that the files lack; empty if none. */
  readonly missing: string
  /** Columns of another type, as items of a REPLACE clause; empty if none. */
  readonly converted: string
}

/**
 * A FROM item over Parquet files: rows with the table's columns, plus `file_index` and
 * `file_row_number`.
 *
 * @param files list of paths, as a literal or a parameter
 * @param deletedRows comma-separated numbers of rows to skip in the only file, as a literal or a
 *   parameter
 */
export function filesSql(files: string, { missing, converted }: FileShape, deletedRows?: string): string {
  const source = `read_parquet(${files})`
  if (missing === '' && converted === '' && deletedRows === undefined) return source
  const all = converted === '' ? '*' : `* REPLACE (${converted})`
  const more = missing === '' ? '' : `, ${missing}`
  // The virtual columns are hidden unless they are named.
  const rows = deletedRows === undefined ? '' : ` WHERE file_row_number NOT IN (${numbersSql(deletedRows)})`
  return `(SELECT ${all}, file_index, file_row_number${more} FROM ${source}${rows})`
}

/**
 * Options of a COPY to a Parquet file that the caller renames or removes. Without `USE_TMP_FILE
 * false`, DuckDB writes to a file of its own if the target exists, and leaves it on a full disk.
 */
export const parquetOptions = 'FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false'

/** A single string is parsed and bound at once; a long list of constants is not. */
const numbersSql = (joined: string): string => `SELECT unnest(string_split(${joined}, ',')::BIGINT[])`

const zoneless = /^TIMESTAMP(_S|_MS|_NS)?$/
const wholeNumbers = /^U?(TINY|SMALL)INT$|^U?INTEGER$/
const numbers = /^(FLOAT|DECIMAL\(.*\)|U?(TINY|SMALL|BIG)INT|U?INTEGER)$/

/**
 * Converts a column written by another engine to the table's type. Timestamps without a zone are
 * taken as UTC.
 *
 * @param type DuckDB's name of the type in the file
 * @returns an item of a REPLACE clause; undefined if no conversion is needed
 * @throws Error if the type is incompatible
 */
export function conversionSql({ name, type: wanted }: Column, type: string): string | undefined {
  const target = String(duckTypes[wanted])
  if (type === target) return undefined
  if (type === '"NULL"') return `"${name}"::${target} AS "${name}"`
  if (wanted === 'time' && zoneless.test(type)) return `timezone('UTC', "${name}"::TIMESTAMP) AS "${name}"`
  if (wanted === 'integer' && wholeNumbers.test(type)) return `"${name}"::BIGINT AS "${name}"`
  if (wanted === 'number' && numbers.test(type)) return `"${name}"::DOUBLE AS "${name}"`
  // Strings without the UTF-8 annotation.
  if ((wanted === 'text' || wanted === 'json') && type === 'BLOB') return `decode("${name}") AS "${name}"`
  throw new Error(`its column ${name} has the type ${type}, not ${target}`)
}
