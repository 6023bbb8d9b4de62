/**
 * Kinds of column, and how one cell of each is kept in JavaScript:
 * `text`, `json` (JSON text): string; `time`: microseconds since 1970 UTC as number; `integer`: number within ±2^53; `number`: any finite
 * number; `texts`: array of strings. Any cell may be null.
 */
export type ColumnType = 'text' | 'json' | 'time' | 'integer' | 'number' | 'texts'

export type Cell = string | number | readonly string[] | null

/** One row or one part of a row: a cell for each column of its table, in the table's order. */
export type Row = Cell[]

export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly description: string
  /**
   * Where the column lives: `both` the log and the files; `log` only in the log (markers); `files` only in the hot part and the files
   * (derived when a row is complete enough to be read).
   */
  readonly kept: 'both' | 'log' | 'files'
}

/** Describes a resource to the store. Adding a resource adds a description, not a storage engine. */
export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  /** Text columns that identify a row; the first is the project. */
  readonly key: readonly [string, string]
  /**
   * What happens when something further comes for a row. `cells`: it is laid over what is there, null never erases, and a deletion is
   * final (rows that arrive in halves). `row`: it takes the whole place of what is there, and of a deletion too.
   */
  readonly merge: 'cells' | 'row'
  /** Sort order of rows inside a file: the way they are read. */
  readonly order: readonly string[]
  /** Columns whose smallest and largest values are known per file. */
  readonly bounded: readonly string[]
  /** Text columns for which each file has a filter of the values it holds (with the project). */
  readonly filtered: readonly string[]
  /** Cell that says when the server last accepted something for the row (time). */
  readonly touched: string
  /** Cell that, when set, removes the row. */
  readonly tombstone: string
  /** A row without this cell is kept but not shown: the part that makes it real has not come yet. */
  readonly visible: string
  /** A row without this cell still waits for its other half and is kept hot for a while. */
  readonly finished: string
  /** Fills the derived (`files`) cells of a merged row. */
  derive(row: Row): void
}

/** Position of a column in the table's rows. @throws Error for a column the table does not have */
export function columnIndex(table: Table, name: string): number {
  const index = table.columns.findIndex((column) => column.name === name)
  if (index < 0) throw new Error(`Table ${table.name} has no column ${name}`)
  return index
}

/** A column of both the log and the files, unless `kept` says otherwise. */
export const column = (name: string, type: ColumnType, description: string, kept: Column['kept'] = 'both'): Column => ({
  name,
  type,
  description,
  kept,
})

/** What tells one table of whole rows from another. */
export interface WholeRowsTable extends Pick<Table, 'name' | 'columns' | 'order' | 'bounded' | 'filtered' | 'visible'> {
  /** What the column of the project holds, where it is no project. */
  readonly project?: string
  /** Column that identifies a row in its project; `id` unless said otherwise. */
  readonly id?: string
  /** Column with the time of the last change; `created_at` unless said otherwise. */
  readonly touched?: string
  /** Cell that removes a row, and that no file keeps; `deleted_at` unless said otherwise. */
  readonly tombstone?: string
}

/** A table whose rows come whole, each in place of the one before it. The columns of the project and of removal are added. */
export function wholeRowsTable({
  project = 'entity/project',
  id = 'id',
  touched = 'created_at',
  tombstone = 'deleted_at',
  columns,
  ...description
}: WholeRowsTable): Table {
  return {
    ...description,
    columns: [column('project_id', 'text', project), ...columns, column(tombstone, 'time', 'marks a removal', 'log')],
    key: ['project_id', id],
    merge: 'row',
    touched,
    tombstone,
    finished: 'created_at',
    derive: () => {},
  }
}

/** A row of the table with these cells, by column; the others are null. @throws Error for a column the table does not have */
export function rowOf(table: Table, cells: Readonly<Record<string, Cell>>): Row {
  const row: Row = new Array<Cell>(table.columns.length).fill(null)
  for (const [name, cell] of Object.entries(cells)) row[columnIndex(table, name)] = cell
  return row
}

/** Lays `part` over `base`, in place: the last write wins per cell, and null never erases a value. */
export function mergeInto(base: Row, part: Row): Row {
  for (let i = 0; i < base.length; i++) {
    const cell = part[i]
    if (cell !== null && cell !== undefined) base[i] = cell
  }
  return base
}

/** What a row becomes when `part` comes, by the table's rule: `base`, changed in place, or `part` itself. */
export const mergeParts = ({ merge }: Table, base: Row, part: Row): Row =>
  merge === 'row' ? part : mergeInto(base, part)

/** Rough size of a row in memory: bytes of its text plus a fixed cost. */
export function rowBytes(row: Row): number {
  let bytes = 64
  for (const cell of row) {
    if (typeof cell === 'string') bytes += cell.length
    else if (typeof cell === 'object' && cell !== null) for (const item of cell) bytes += item.length + 16
  }
  return bytes
}
