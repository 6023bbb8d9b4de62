import { itemAt, keysOf } from './present.ts'
import { type Cell, type CellValues, type ColumnType, columnIndex, type Row, type Table } from './table.ts'

declare const cellType: unique symbol

/**
 * Position of a column in the rows of its table: a number of which the compiler knows the type of
 * the cells. `at` of a typed table has one for each column: `cellAt(row, callsTable.at.ended_at)`
 * is `number | null`.
 */
export type CellPosition<T extends Cell> = number & { readonly [cellType]: T }

/** A cell of a whole row, as fast as `row[position]`. */
export const cellAt = <T extends Cell>(row: Readonly<Row>, position: CellPosition<T>): T => row[position] as T

/** A cell of a part of a row, in which every cell but the key may be missing (null). */
export const partAt = <T extends Cell>(part: Readonly<Row>, position: CellPosition<T>): T | null =>
  part[position] as T | null

/** Positions of the two columns that identify a row. Their cells are never null. */
export interface KeyPositions {
  readonly project: CellPosition<string>
  readonly id: CellPosition<string>
}

export const keyPositions = (table: Table): KeyPositions => ({
  project: keyPosition(table, table.key[0]),
  id: keyPosition(table, table.key[1]),
})

function keyPosition(table: Table, name: string): CellPosition<string> {
  const index = columnIndex(table, name)
  if (!isOfKey(table, index)) throw new Error(`Column ${name} of table ${table.name} is not part of its key`)
  return index
}

const isOfKey = ({ key, columns }: Table, index: number): index is CellPosition<string> =>
  key.some((name) => name === columns[index]?.name)

/** Position of a column of a type. @throws Error if the table has no such column of this type */
export function positionOf<T extends ColumnType>(
  table: Table,
  name: string,
  type: T,
): CellPosition<CellValues[T] | null> {
  const index = columnIndex(table, name)
  if (!isOfType(table, index, type)) throw new Error(`Column ${name} of table ${table.name} is not of type ${type}`)
  return index
}

const isOfType = <T extends ColumnType>(
  table: Table,
  index: number,
  type: T,
): index is CellPosition<CellValues[T] | null> => table.columns[index]?.type === type

/** Kind of a column of a statement's answer: the type of its cells; with `?`, they may be null. */
type CellKind = ColumnType | `${ColumnType}?`

/** Names and kinds of the columns of an answer, in their order. */
export type CellKinds = Readonly<Record<string, CellKind>>

type CellOfKind<K extends CellKind> = K extends `${infer T extends ColumnType}?`
  ? CellValues[T] | null
  : K extends ColumnType
    ? CellValues[K]
    : never

/** A row of an answer with columns of these kinds. */
export type RowOfKinds<K extends CellKinds> = { readonly [Name in keyof K]: CellOfKind<K[Name]> }

/** The cells of many rows, by column. */
export type ColumnsOf<R> = { [Name in keyof R]: R[Name][] }

/** Shape of the rows of an answer. */
export interface RowShape<R> {
  /** Names of the columns, in their order. */
  readonly columns: readonly string[]
  /** Names the cells of a row. @throws TypeError if a cell is not of the stated kind */
  read(cells: readonly Cell[]): R
  /** Names the columns of many rows. @throws TypeError if a cell is not of the stated kind */
  readColumns(columns: readonly Cell[][]): ColumnsOf<R>
}

/** A statement that may state the shape of its answer. */
export interface Shaped<R> {
  readonly shape?: RowShape<R> | undefined
}

/** The row type of a shape. */
export type RowOfShape<S extends RowShape<unknown>> = ReturnType<S['read']>

/**
 * The shape of a statement's answer, stated once, beside its SELECT list:
 * `{ text, values, shape: rowShape({ id: 'text', ended_at: 'time?' }) }`. Whoever reads the
 * statement then gets rows with `id: string` and `ended_at: number | null`.
 */
export function rowShape<const K extends CellKinds>(
  kinds: K,
): RowShape<RowOfKinds<K>> & { readonly columns: readonly (keyof K & string)[] } {
  const columns = keysOf(kinds)
  const checks = Object.entries(kinds).map(([name, kind]) => ({ name, fits: checkOf(kind) }))
  const faultOf = (name: string, cell: Cell | undefined) =>
    new TypeError(
      `Cannot read a row: ${name} is ${typeof cell === 'string' ? 'a text' : cell} instead of ${kinds[name]}`,
    )
  const checkWidth = (width: number) => {
    if (width !== columns.length)
      throw new TypeError(`Cannot read a row: ${width} columns instead of ${columns.join(', ')}`)
  }
  return {
    columns,
    read(cells) {
      checkWidth(cells.length)
      const row: Record<string, Cell> = {}
      let index = 0
      for (const { name, fits } of checks) {
        const cell = cells[index++]
        if (cell === undefined || !fits(cell)) throw faultOf(name, cell)
        row[name] = cell
      }
      return row as RowOfKinds<K>
    },
    readColumns(chunk) {
      checkWidth(chunk.length)
      const named: Record<string, readonly Cell[]> = {}
      for (const [index, { name, fits }] of checks.entries()) {
        const cells = itemAt(chunk, index)
        for (const cell of cells) if (!fits(cell)) throw faultOf(name, cell)
        named[name] = cells
      }
      return named as ColumnsOf<RowOfKinds<K>>
    },
  }
}

function checkOf(kind: CellKind): (cell: Cell) => boolean {
  const isNullable = kind.endsWith('?')
  const type: string = isNullable ? kind.slice(0, -1) : kind
  const jsType = type === 'text' || type === 'json' ? 'string' : type === 'texts' ? 'object' : 'number'
  return (cell) => (cell === null ? isNullable : typeof cell === jsType)
}

/**
 * A number among cells whose columns depend on the request, so that no shape names them. @throws
 * TypeError for any other cell but null
 */
export function numberIn(cell: Cell | undefined): number | null {
  if (cell === null || typeof cell === 'number') return cell
  throw new TypeError(`Cannot read a row: ${typeof cell === 'string' ? 'a text' : cell} instead of a number`)
}

/** A text among such cells. @throws TypeError for any other cell */
export function textIn(cell: Cell | undefined): string {
  if (typeof cell === 'string') return cell
  throw new TypeError(`Cannot read a row: ${cell} instead of a text`)
}

/** The rows of an answer, as the shape of the statement says; as cells without one. */
export const shapedRows = <R>({ shape }: Shaped<R>, rows: Cell[][]): R[] =>
  shape === undefined ? (rows as R[]) : rows.map((cells) => shape.read(cells))

/** The same for cells by column. */
export const shapedColumns = <R>({ shape }: Shaped<R>, columns: Cell[][]): ColumnsOf<R> =>
  shape === undefined ? (columns as unknown as ColumnsOf<R>) : shape.readColumns(columns)
