/**
 * Kinds of column, and how one cell of each is kept in JavaScript: `text`, `json` (JSON text):
 * string; `time`: microseconds since 1970 UTC as number; `integer`: number within ±2^53; `number`:
 * any finite number; `texts`: array of strings. Any cell may be null.
 */
export type ColumnType = 'text' | 'json' | 'time' | 'integer' | 'number' | 'texts'

/** Types of cells that are not null, by the type of their column. */
export interface CellValues {
  readonly text: string
  readonly json: string
  readonly time: number
  readonly integer: number
  readonly number: number
  readonly texts: readonly string[]
}

export type Cell = CellValues[ColumnType] | null

/** One row or one part of a row: a cell for each column of its table, in the table's order. */
export type Row = Cell[]

export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly description: string
  /**
   * `everywhere`: the write-ahead log and the data files; `wal`: only the log (tombstones);
   * `files`: only the memtable and the data files (derived once a row can be read).
   */
  readonly storedIn: 'everywhere' | 'wal' | 'files'
  /** The text of a row that can be shown, if no part of it has one. */
  readonly ifMissing?: string | undefined
}

/**
 * How the rows of a data file are added up in a sidecar, from which statistics are answered without
 * reading the rows. The result must have the columns `project_id` and `calls` (rows added up).
 */
export interface Rollup {
  /** Changed together with the statement: rollups of other versions are computed anew. */
  readonly version: number
  /**
   * SELECT that adds up the rows of `source`, a FROM item with the columns of the table, by steps
   * of a time column.
   */
  readonly statement: (source: string, stepMicros: number) => string
  /** The time column, which has the start of the step in rows that add up others. */
  readonly time: string
  /** Column with lists of values, which stays on disk. */
  readonly lists: string
  /**
   * Columns of sums and numbers of rows. Those of hidden rows can be subtracted, unless they have a
   * value in the column of `fractions`: their sum would not be exact.
   */
  readonly sums: readonly string[]
  readonly fractions: string
}

/** A JSON column whose frequent paths get columns of their own in data files. */
export interface PathedColumn {
  readonly name: string
  /** Whether a path may get a column; every one may unless stated. */
  readonly fits?: (path: readonly string[]) => boolean
  /** Values in it are often values of other paths too: both then share a column. */
  readonly repeatsOthers?: boolean
  /** Queries read this JSON as a member of another column, unless that has a member of the name. */
  readonly shownAs?: { readonly column: string; readonly member: string }
  /** Another column holds the members that many rows share, unless it has this content. */
  readonly sharedIn?: { readonly column: string; readonly unless: string }
}

/** Describes a table to the store. A new resource adds a description, not a storage engine. */
export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  /** Text columns that identify a row; the first is the project. */
  readonly key: readonly [string, string]
  /**
   * Effect of a further write to the same key. `cells`: merges into the stored row, where null
   * never erases a value and a deletion is final (rows that arrive in parts). `row`: replaces the
   * stored row, or its tombstone.
   */
  readonly merge: 'cells' | 'row'
  /** Sort order of the rows in a data file. */
  readonly order: readonly string[]
  /** Columns with minimum and maximum statistics per data file. */
  readonly bounded: readonly string[]
  /** Text columns with a Bloom filter per data file over (project, value). */
  readonly filtered: readonly string[]
  /** JSON columns whose frequent paths get columns of their own in data files. */
  readonly pathed?: readonly PathedColumn[]
  /** Text columns by whose values rows are found: large data files have an index of them. */
  readonly located?: readonly string[]
  /** Text columns whose values are counted; so are those of path columns. */
  readonly counted?: readonly string[]
  /** Text and JSON columns that are searched for texts: large data files have a filter of them. */
  readonly searched?: readonly string[]
  readonly rollup?: Rollup | undefined
  /**
   * Bytes of JSON and of lists per row group of a data file, where single rows are looked up that
   * are wide. Otherwise JSON counts alone, and groups are as large as scans like them.
   */
  readonly rowGroupBytes?: number | undefined
  /** When the server last accepted a write for the row (time). */
  readonly updatedAtColumn: string
  /** Deletes the row when it is set. */
  readonly tombstoneColumn: string
  /** For rows that arrive in parts: set in a whole row, which replaces the stored one. */
  readonly wholeColumn?: string | undefined
  /** While null, the row is stored but not shown: the part that creates it has not arrived. */
  readonly presenceColumn: string
  /** While null, the row waits for its other part and stays in the memtable for some time. */
  readonly completionColumn: string
  /** Computes the derived (`files`) cells of a merged row, in place. */
  derive(row: Row): void
  /**
   * The derived cells alone, at their positions, of a row that is not in JavaScript's memory;
   * undefined if `derive` would also change other cells. Missing if no cell is derived.
   */
  derivedOf?(row: CellReader): Row | undefined
  readonly detach?: Detach
  /** Missing if rows know nothing of the rows below them. */
  readonly lineage?: Lineage
}

/** Knowledge about the rows below a row; its content is specific to the table. */
export type Knowledge = readonly Cell[]

/**
 * How facts about a row reach the rows above it. The store passes them on when rows are moved into
 * the memtable's table, so that every read sees them. See docs/decisions/197-errors-inside.md.
 */
export interface Lineage {
  /** Text cells: the id of the parent, and the tree within which facts are passed on. */
  readonly parent: number
  readonly tree: number
  /** The cells of what a row knows. In a part of a row they are null, or replace what it knew. */
  readonly cells: readonly number[]
  /** The knowledge of a row. */
  known(row: CellReader): Knowledge
  /**
   * The lesson of a row for its parent; undefined if there is none. `derived` has the derived cells
   * of the row.
   */
  factsForParent(row: CellReader, derived: CellReader): Knowledge | undefined
  /**
   * Rows of data files that may have a lesson for their parent: a condition on the row `t` in SQL,
   * and the columns from which `derive` and `factsForParent` compute it.
   */
  readonly sources: { readonly condition: string; readonly columns: readonly string[] }
  /** Whether the parent of a row without derived cells may have to learn anything. */
  mayHaveFacts(row: CellReader): boolean
  /** Computes the derived cells that depend on what a row knows, in place. */
  deriveKnown(row: Row): void
  /** The knowledge of row `id` afterwards: `known` itself if there is nothing new in `facts`. */
  learn(id: string, known: Knowledge, facts: Knowledge): Knowledge
}

/** Action before a part is merged into a row that has a value in some cell. */
interface Detach {
  readonly cell: number
  /** Changes the cells of `row` that are read together with cells that `part` replaces. */
  run(row: Row, part: Row): void
}

/** Reads single cells of a row, wherever it is. */
export interface CellReader {
  isNull(cell: number): boolean
  /** A `text` or `json` cell. */
  text(cell: number): string | null
  /** A `time`, `integer` or `number` cell. */
  number(cell: number): number | null
  /** Bytes of a `text` or `json` cell as UTF-8; 0 if it is null. */
  textBytes(cell: number): number
}

/** Reads a row that is in JavaScript's memory. */
class RowCells implements CellReader {
  private readonly row: Row

  constructor(row: Row) {
    this.row = row
  }

  isNull(cell: number): boolean {
    return this.row[cell] === null
  }

  text(cell: number): string | null {
    return this.row[cell] as string | null
  }

  number(cell: number): number | null {
    return this.row[cell] as number | null
  }

  textBytes(cell: number): number {
    const text = this.row[cell]
    return typeof text === 'string' ? Buffer.byteLength(text) : 0
  }
}

export const cellReader = (row: Row): CellReader => new RowCells(row)

/** The column by whose times the rows of a project are sorted; undefined if they are not. */
export const timeColumn = ({ columns, order }: Table): Column | undefined =>
  columns.find(({ name, type }) => type === 'time' && name === order[1])

/** Position of a column in the table's rows. @throws Error for a column the table does not have */
export function columnIndex(table: Table, name: string): number {
  const index = table.columns.findIndex((column) => column.name === name)
  if (index < 0) throw new Error(`Table ${table.name} has no column ${name}`)
  return index
}

/**
 * Lays `part` over `base`, in place: the last write wins per cell, and null never erases a value.
 * See docs/decisions/022-merge-rules.md.
 */
export function mergeInto(base: Row, part: Row): Row {
  for (let i = 0; i < base.length; i++) {
    const cell = part[i]
    if (cell !== null && cell !== undefined) base[i] = cell
  }
  return base
}

/**
 * The row after `part` is merged into it, by the table's rule: `base`, changed in place, or `part`
 * itself.
 */
export function mergeParts(table: Table, base: Row, part: Row): Row {
  if (table.merge === 'row') return part
  const { detach } = table
  if (detach !== undefined && base[detach.cell] != null) detach.run(base, part)
  return mergeInto(base, part)
}

/** Rough size of a row in memory: bytes of its text plus a fixed cost. */
export function rowBytes(row: Row): number {
  let bytes = 64
  for (const cell of row) {
    if (typeof cell === 'string') bytes += cell.length
    else if (typeof cell === 'object' && cell !== null) for (const item of cell) bytes += item.length + 16
  }
  return bytes
}
