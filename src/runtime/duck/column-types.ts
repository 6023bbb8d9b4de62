import { BIGINT, DOUBLE, type DuckDBType, LIST, TIMESTAMPTZ, VARCHAR } from '@duckdb/node-api'
import type { Column, ColumnType } from '../../lib/table.ts'

/**
 * DuckDB's type for each kind of column. Times are TIMESTAMPTZ, so that Parquet and Delta call them
 * UTC instants.
 */
export const duckTypes: Readonly<Record<ColumnType, DuckDBType>> = {
  text: VARCHAR,
  json: VARCHAR,
  time: TIMESTAMPTZ,
  integer: BIGINT,
  number: DOUBLE,
  texts: LIST(VARCHAR),
}

/** The column list of a CREATE TABLE. Names come from table descriptions, never from requests. */
export const columnsSql = (columns: readonly Column[]): string =>
  columns.map((column) => `"${column.name}" ${duckTypes[column.type]}`).join(', ')

/** A select list of typed nulls in place of columns. */
export const typedNulls = (columns: readonly Column[]): string =>
  columns.map(({ name, type }) => `NULL::${duckTypes[type]} AS "${name}"`).join(', ')

/**
 * A text as an SQL literal, for the few DuckDB statements without parameters (COPY, ATTACH, SET).
 */
export const textLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`
