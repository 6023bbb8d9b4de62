import { DuckDBListValue, DuckDBTimestampTZValue, type DuckDBValue } from '@duckdb/node-api'
import type { Cell } from '../../lib/table.ts'

/**
 * Converts a DuckDB value to a cell: integers to numbers, times to microseconds, lists to arrays.
 *
 * @throws Error for a type that no table uses
 */
export function toCell(value: DuckDBValue): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof DuckDBTimestampTZValue) return Number(value.micros)
  if (value instanceof DuckDBListValue) return value.items.map(String)
  throw new Error(`Cannot convert a value to a cell: ${String(value)}`)
}
