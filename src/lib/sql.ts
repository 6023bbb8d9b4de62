/** A value passed to DuckDB as a bound parameter. Numbers bind as DOUBLE, bigints as BIGINT. */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | { readonly micros: number }
  | { readonly texts: readonly string[] }

/** A statement with the placeholders `$1`, `$2`, … for the values. */
export interface Sql {
  readonly text: string
  readonly values: readonly SqlValue[]
}
