import type { Cell } from './table.ts'
import type { Shaped } from './typed-rows.ts'

/** A value passed to DuckDB as a bound parameter. Numbers bind as DOUBLE, bigints as BIGINT. */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | { readonly micros: number }
  | { readonly texts: readonly string[] }

/**
 * A statement with the placeholders `$1`, `$2`, … for the values. `R` is the type of the rows of
 * its answer: cells, unless it states a shape.
 */
export interface Sql<R = Cell[]> extends Shaped<R> {
  readonly text: string
  readonly values: readonly SqlValue[]
}
