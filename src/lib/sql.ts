import type { Cell } from './table.ts'
import type { Shaped } from './typed-rows.ts'

/**
 * A value passed to DuckDB as a bound parameter. Numbers bind as DOUBLE, bigints as BIGINT. `files`
 * are paths of Parquet files to read, which no caller of the API can state.
 */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | { readonly micros: number }
  | { readonly texts: readonly string[] }
  | { readonly files: readonly string[] }

/**
 * A statement with the placeholders `$1`, `$2`, … for the values. `R` is the type of the rows of
 * its answer: cells, unless it states a shape.
 */
export interface Sql<R = Cell[]> extends Shaped<R> {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** The files among the values of a statement. */
export const filesOf = (values: readonly SqlValue[]): string[] =>
  values.flatMap((value) => (isFiles(value) ? value.files : []))

/** Whether a value names files. */
export const isFiles = (value: SqlValue): value is { readonly files: readonly string[] } =>
  typeof value === 'object' && value !== null && 'files' in value
