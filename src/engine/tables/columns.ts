import type { Cell, CellValues, Column, ColumnType, PathedColumn } from '../../lib/table.ts'

export interface ColumnOptions {
  /** Rows may have null here. */
  readonly nullable?: true
  /**
   * Computed by the server whenever a row changes; never in the log, and null in a row that is
   * being written.
   */
  readonly derived?: true
  /** Data files carry the minimum and maximum. */
  readonly bounds?: true
  /** Data files carry a Bloom filter of the values. Text only. */
  readonly bloom?: true
  /** Large data files have an index of the rows by their value. Text only. */
  readonly located?: true
  /** Large data files state how often each value occurs, if there are few. Text only. */
  readonly counted?: true
  /** Frequent paths have columns of their own in data files. JSON only. */
  readonly pathed?: true | Omit<PathedColumn, 'name'>
  /** Large data files have a filter of the texts. Text and JSON only. */
  readonly searched?: true
  /**
   * Where clients see the column: by default, as a member of responses and a field of queries;
   * `query`: only as a field; `summary`: as a computed member of a call's summary and a field below
   * it; `server`: nowhere.
   */
  readonly exposed?: 'query' | 'summary' | 'server'
  /**
   * JSON text of the value that means "none". Responses omit such a member unless it is requested:
   * clients that are older than the column may refuse members they do not know.
   */
  readonly blank?: string
  /** The text of a row that can be shown, if no part of it has one. */
  readonly ifMissing?: string
  /** In queries, a missing text compares as the empty one. */
  readonly emptyIfMissing?: true
  /** The empty text is stored for "removed" and reads as null. */
  readonly nullIfEmpty?: true
  /** The cell is the member of the same name of the start of a row that arrives in parts. */
  readonly start?: MemberCheck
  /** The same, of the end. */
  readonly end?: MemberCheck
}

/**
 * Turns a member of a request into a cell, or refuses it. Each check takes the type of its own
 * member.
 */
export type MemberCheck = (member: string, value: never) => Cell

/** One column as a table description states it, under its name. */
export interface ColumnSpec<T extends ColumnType = ColumnType, O extends ColumnOptions = ColumnOptions> {
  readonly type: T
  /** Markdown, shown in docs/data-on-disk.md and stored in the Delta log. */
  readonly description: string
  readonly options: O
}

/** Columns by name, in the order of the cells of a row. */
export type ColumnSpecs = Readonly<Record<string, ColumnSpec>>

/** The type of a column's cells. */
export type CellOf<S extends ColumnSpec> =
  | CellValues[S['type']]
  | (S['options'] extends { nullable: true } ? null : never)

function columnOf<T extends ColumnType>(type: T) {
  function column(description: string): ColumnSpec<T, Record<never, never>>
  function column<const O extends ColumnOptions>(description: string, options: O): ColumnSpec<T, NoInfer<O>>
  function column(description: string, options: ColumnOptions = {}): ColumnSpec<T> {
    return { type, description, options }
  }
  return column
}

export const text = columnOf('text')
/** JSON text. */
export const json = columnOf('json')
export const time = columnOf('time')
/** A number within ±2^53. */
export const integer = columnOf('integer')
/** Any finite number. */
export const number = columnOf('number')
export const texts = columnOf('texts')

/** A column as the store wants it. */
export const storedColumn = (name: string, { type, description, options }: ColumnSpec): Column => ({
  name,
  type,
  description,
  storedIn: options.derived ? 'files' : 'everywhere',
  ...(options.ifMissing !== undefined && { ifMissing: options.ifMissing }),
})
