import { releaseBytes } from './bytes.ts'
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
  /** By position of the column in the table; undefined if all its cells are null. */
  columns: readonly (CellColumn | undefined)[]
  /** Undefined if the batch has no derived cells. */
  readonly derivation: Derivation | undefined
  /**
   * Cells of which the batch holds what follows from its own rows; see `Lineage`. They are no part
   * of rows that are merged with others.
   */
  readonly hints: ReadonlySet<number>
  /** Memory that nothing else uses. */
  private owned: readonly Uint8Array[] = []
  /** A bit for each row that has ended, and how many have not. */
  private ended: Uint8Array | undefined
  private left: number
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
    this.left = count
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
    return new ColumnBatch(this.count, this.tableColumns, all, { derivation, hints }).owning(this.owned)
  }

  /** These rows with other values in a column. */
  withColumn(cell: number, column: CellColumn | undefined): ColumnBatch {
    const { derivation, hints } = this
    const columns = this.columns.with(cell, column)
    const computed = derivation && { derivation, hints }
    return new ColumnBatch(this.count, this.tableColumns, columns, computed).owning(this.owned)
  }

  /** Hands memory of the columns over to the batch, which frees it once all rows have ended. */
  owning(bytes: readonly Uint8Array[]): this {
    this.owned = [...this.owned, ...bytes]
    return this
  }

  /**
   * Call when a row is not read any more; of a batch made from this one, only the rows of one of
   * them. The garbage collector would let hundreds of MB of batches accumulate.
   */
  endRow(row: number): void {
    if (this.owned.length === 0) return
    this.ended ??= new Uint8Array(Math.ceil(this.count / 8))
    if (hasBit(this.ended, row)) return
    setBit(this.ended, row)
    if (--this.left > 0) return
    for (const bytes of this.owned) releaseBytes(bytes)
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

  /** All rows. */
  rows(): BatchRow[] {
    return Array.from({ length: this.count }, (_, index) => new BatchRow(this, index, undefined))
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

/** How many parts of one row are kept as bytes, one upon the other. */
const partsMax = 4

/** A row of a batch, perhaps laid over parts of the same row that arrived before. */
export class BatchRow {
  readonly batch: ColumnBatch
  readonly index: number
  readonly older: BatchRow | undefined
  private knownBytes: number | undefined = undefined

  constructor(batch: ColumnBatch, index: number, older: BatchRow | undefined) {
    this.batch = batch
    this.index = index
    this.older = older
  }

  /**
   * This row, laid over another; undefined if there would be too many parts, or if cells would be
   * merged that must not be.
   */
  over(older: BatchRow): BatchRow | undefined {
    if (this.hasHints || older.hasHints) return undefined
    let parts = 2
    for (let part = older.older; part !== undefined; part = part.older) parts++
    return parts > partsMax || this.older !== undefined ? undefined : new BatchRow(this.batch, this.index, older)
  }

  /** The part that has the cell: the newest in which it is not null. */
  holderOf(cell: number): BatchRow | undefined {
    if (!this.batch.isNull(cell, this.index)) return this
    let part = this.older
    while (part?.batch.isNull(cell, part.index)) part = part.older
    return part
  }

  isNull(cell: number): boolean {
    return this.holderOf(cell) === undefined
  }

  /** Whether the batch has the derived cells of this row, too. */
  get hasDerived(): boolean {
    return this.older === undefined && (this.batch.derivation?.derivedRows[this.index] ?? 0) > 0
  }

  /** Whether the batch says what follows for this row from others in it. */
  get hasHints(): boolean {
    for (const cell of this.batch.hints) if (!this.batch.isNull(cell, this.index)) return true
    return false
  }

  /** Whether rows outside the batch may have to learn of this one; see `Lineage`. */
  get hasFactsForOthers(): boolean {
    return this.batch.derivation?.derivedRows[this.index] === 2
  }

  text(cell: number): string | null {
    const part = this.holderOf(cell)
    return part === undefined ? null : part.batch.text(cell, part.index)
  }

  number(cell: number): number | null {
    const part = this.holderOf(cell)
    return part === undefined ? null : part.batch.number(cell, part.index)
  }

  textBytes(cell: number): number {
    const part = this.holderOf(cell)
    return part === undefined ? 0 : part.batch.textBytes(cell, part.index)
  }

  cell(cell: number): Cell {
    const part = this.holderOf(cell)
    return part === undefined ? null : part.batch.cell(cell, part.index)
  }

  /** Call when neither this row nor those below it are read any more. */
  end(): void {
    this.batch.endRow(this.index)
    this.older?.end()
  }

  toRow(): Row {
    if (this.older === undefined) return this.batch.row(this.index)
    return this.batch.columns.map((_, cell) => this.cell(cell))
  }

  /** Like `rowBytes`; an upper bound if there are older parts. */
  get bytes(): number {
    this.knownBytes ??= this.batch.bytesOf(this.index) + (this.older?.bytes ?? 0)
    return this.knownBytes
  }
}
