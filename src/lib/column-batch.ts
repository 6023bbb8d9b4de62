import { BatchMemory } from './batch-memory.ts'
import { itemAt, present } from './present.ts'
import type { Cell, Column, Row } from './table.ts'

/** The cells of one column of a batch, as Arrow lays them out in memory. */
export interface CellColumn {
  /** A bit per row, set where there is a value; undefined if all rows have one. */
  readonly validity: Uint8Array | undefined
  /** `text`, `json` and `texts`: where the value of row `i` begins (`i`) and ends (`i + 1`). */
  readonly offsets?: Int32Array
  /** `text` and `json`: UTF-8. */
  readonly bytes?: Buffer
  /** `integer` and `time`: the lower and the upper half of each value. */
  readonly words?: Int32Array
  /** `number` */
  readonly doubles?: Float64Array
  /** `texts`: the elements of all rows. */
  readonly items?: CellColumn
}

/** Values computed from the rows of a batch. */
export interface Derivation {
  /**
   * 1 for each row whose derived cells are in the batch, too; 2 if rows outside the batch have to
   * learn of it besides.
   */
  readonly derivedRows: Uint8Array
  /** Hashes of the filtered columns. */
  readonly hashes: Uint32Array
}

const noHints: ReadonlySet<number> = new Set()

/** The columns of a batch whose memory is freed. */
const goneColumns: readonly CellColumn[] = new Proxy([], {
  get() {
    throw new Error('Cannot read a batch of which all rows have ended')
  },
})

/** Rows of a table as columns of bytes, which are converted to cells only on access. */
export class ColumnBatch {
  readonly count: number
  /**
   * By position of the column in the table; undefined if all its cells are null. Cannot be read
   * once the memory is freed.
   */
  columns: readonly (CellColumn | undefined)[]
  /** Undefined if the batch has no derived cells. */
  readonly derivation: Derivation | undefined
  /**
   * Cells of which the batch holds what follows from its own rows; see `Lineage`. They are no part
   * of rows that are merged with others.
   */
  readonly hints: ReadonlySet<number>
  private memory: BatchMemory | undefined
  private last: { readonly cell: number; readonly bytes: Buffer; readonly text: string } | undefined
  private readonly tableColumns: readonly Column[]
  private readonly textCells: readonly number[]

  constructor(
    count: number,
    tableColumns: readonly Column[],
    columns: readonly (CellColumn | undefined)[],
    computed?: { readonly derivation: Derivation; readonly hints: ReadonlySet<number> },
  ) {
    this.derivation = computed?.derivation
    this.hints = computed?.hints ?? noHints
    this.count = count
    this.tableColumns = tableColumns
    this.columns = columns
    this.textCells = columns.flatMap((column, cell) => (column?.offsets === undefined ? [] : [cell]))
  }

  /** These rows with the derived cells of another batch. */
  withDerived({ columns }: ColumnBatch, derivation: Derivation): ColumnBatch {
    const all = this.columns.map((column, cell) => column ?? columns[cell])
    const isHint = (cell: number) =>
      itemAt(this.tableColumns, cell).storedIn === 'everywhere' && !this.columns[cell] && columns[cell] !== undefined
    const hints = new Set(all.keys().filter(isHint))
    return new ColumnBatch(this.count, this.tableColumns, all, { derivation, hints })
  }

  /** These rows with other values in a column. They take over the memory of these ones. */
  withColumn(cell: number, column: CellColumn | undefined): ColumnBatch {
    const { derivation, hints } = this
    const columns = this.columns.with(cell, column)
    const changed = new ColumnBatch(this.count, this.tableColumns, columns, derivation && { derivation, hints })
    changed.memory = this.memory
    return changed
  }

  /**
   * These rows, of which the columns are in memory that nothing else uses: it is freed once all of
   * them have ended.
   */
  owning(pieces: readonly Uint8Array[]): this {
    this.memory = new BatchMemory(this.count, pieces)
    return this
  }

  /** Whether rows can be read only until all of them have ended. */
  get ownsMemory(): boolean {
    return this.memory !== undefined
  }

  /** Call when a row is not read any more. */
  endRow(row: number): void {
    if (!this.memory?.endRow(row)) return
    this.columns = goneColumns
    this.last = undefined
  }

  isNull(cell: number, row: number): boolean {
    const column = this.columns[cell]
    if (column === undefined) return true
    const { validity } = column
    return validity !== undefined && !hasBit(validity, row)
  }

  text(cell: number, row: number): string | null {
    return this.isNull(cell, row) ? null : textOf(this.column(cell), row)
  }

  /** A text that is not null, in a column whose rows mostly have the same one. */
  repeatedText(cell: number, row: number): string {
    const column = this.column(cell)
    const bytes = bytesOf(column)
    const [from, to] = [offsetAt(column, row), offsetAt(column, row + 1)]
    const { last } = this
    if (last?.cell === cell && bytes.compare(last.bytes, 0, last.bytes.length, from, to) === 0) return last.text
    const text = textOf(column, row)
    this.last = { cell, bytes: bytes.subarray(from, to), text }
    return text
  }

  number(cell: number, row: number): number | null {
    if (this.isNull(cell, row)) return null
    const { words, doubles } = this.column(cell)
    if (doubles !== undefined) return itemAt(doubles, row)
    const [low, high] = [words?.[row * 2], words?.[row * 2 + 1]]
    if (low === undefined || high === undefined) throw new RangeError(`No number in row ${row}`)
    return high * 4_294_967_296 + (low >>> 0)
  }

  /** Bytes of a text as UTF-8; 0 if it is null. */
  textBytes(cell: number, row: number): number {
    if (this.isNull(cell, row)) return 0
    const column = this.column(cell)
    return offsetAt(column, row + 1) - offsetAt(column, row)
  }

  cell(cell: number, row: number): Cell {
    const { type } = itemAt(this.tableColumns, cell)
    if (type === 'text' || type === 'json') return this.text(cell, row)
    if (type !== 'texts') return this.number(cell, row)
    if (this.isNull(cell, row)) return null
    const column = this.column(cell)
    const items = present(column.items, 'A list of texts')
    const texts: string[] = []
    const end = offsetAt(column, row + 1)
    for (let item = offsetAt(column, row); item < end; item++) texts.push(textOf(items, item))
    return texts
  }

  row(row: number): Row {
    const cells = new Array<Cell>(this.columns.length).fill(null)
    for (let cell = 0; cell < cells.length; cell++)
      if (!this.hints.has(cell) && !this.isNull(cell, row)) cells[cell] = this.cell(cell, row)
    return cells
  }

  /** Like `rowBytes`. */
  bytesOf(row: number): number {
    let bytes = 64
    for (const cell of this.textCells) {
      const column = this.column(cell)
      const from = offsetAt(column, row)
      const to = offsetAt(column, row + 1)
      const { items } = column
      if (items === undefined) bytes += to - from
      else bytes += offsetAt(items, to) - offsetAt(items, from) + (to - from) * 16
    }
    return bytes
  }

  /** A column that has values. */
  private column(cell: number): CellColumn {
    return present(this.columns[cell], 'A column of a batch')
  }
}

/** Whether the bit with that index is set; bits past the end are not. */
export const hasBit = (bits: Uint8Array, index: number): boolean => ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0

/** Sets the bit with that index. */
export function setBit(bits: Uint8Array, index: number): void {
  bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7))
}

/** Where the value of a row begins among the bytes or the items of its column. */
export function offsetAt({ offsets }: CellColumn, row: number): number {
  const offset = offsets?.[row]
  if (offset === undefined) throw new RangeError(`No text in row ${row}`)
  return offset
}

/** The texts of a column, as bytes one after the other. */
export const bytesOf = ({ bytes }: CellColumn): Buffer => present(bytes, 'The bytes of a column of texts')

const textOf = (column: CellColumn, row: number): string =>
  bytesOf(column).toString('utf8', offsetAt(column, row), offsetAt(column, row + 1))
