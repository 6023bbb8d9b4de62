import type { Column } from '../kernel/table.ts'
import { duckTypes } from './column-types.ts'

/** How files whose columns are not exactly those of their table are read as if they were. */
export interface FileShape {
  /** Select list that stands for columns which the files lack; empty where they lack none. */
  readonly missing: string
  /** Columns whose type is another one, as items for REPLACE; empty where all have theirs. */
  readonly converted: string
}

/**
 * A FROM item over Parquet files: rows as their table has them, with the columns `file_index` and `file_row_number`.
 *
 * @param files the list of their paths, as a literal or a parameter
 * @param deletedRows rows to leave out of the only file: their numbers, joined by commas, as a literal or a parameter
 */
export function filesSql(files: string, { missing, converted }: FileShape, deletedRows?: string): string {
  const source = `read_parquet(${files})`
  if (missing === '' && converted === '' && deletedRows === undefined) return source
  const all = converted === '' ? '*' : `* REPLACE (${converted})`
  const more = missing === '' ? '' : `, ${missing}`
  // The columns of the table hide the virtual ones unless these are named.
  const rows = deletedRows === undefined ? '' : ` WHERE file_row_number NOT IN (${numbersSql(deletedRows)})`
  return `(SELECT ${all}, file_index, file_row_number${more} FROM ${source}${rows})`
}

/** One text is parsed and bound at once; a list of so many constants is not. */
const numbersSql = (joined: string): string => `SELECT unnest(string_split(${joined}, ',')::BIGINT[])`

const naive = /^TIMESTAMP(_S|_MS|_NS)?$/
const wholeNumbers = /^U?(TINY|SMALL)INT$|^U?INTEGER$/
const numbers = /^(FLOAT|DECIMAL\(.*\)|U?(TINY|SMALL|BIG)INT|U?INTEGER)$/

/**
 * What makes a column of a file that others wrote one of the table's type. Times without a zone are those of UTC.
 *
 * @param type DuckDB's name for the type in the file
 * @returns an item for REPLACE; undefined where nothing is to be done
 * @throws Error where the type is another altogether
 */
export function conversionSql({ name, type: wanted }: Column, type: string): string | undefined {
  const target = String(duckTypes[wanted])
  if (type === target) return undefined
  if (type === '"NULL"') return `"${name}"::${target} AS "${name}"`
  if (wanted === 'time' && naive.test(type)) return `timezone('UTC', "${name}"::TIMESTAMP) AS "${name}"`
  if (wanted === 'integer' && wholeNumbers.test(type)) return `"${name}"::BIGINT AS "${name}"`
  if (wanted === 'number' && numbers.test(type)) return `"${name}"::DOUBLE AS "${name}"`
  // Strings without the mark that says so.
  if ((wanted === 'text' || wanted === 'json') && type === 'BLOB') return `decode("${name}") AS "${name}"`
  throw new Error(`its column ${name} is of the type ${type}, not ${target}`)
}
