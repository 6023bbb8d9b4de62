import type { ColumnBatch } from './column-batch.ts'
import type { Cell, Row } from './table.ts'

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

  /** Whether the row can only be read until `end` is called. */
  get ends(): boolean {
    return this.batch.ownsMemory || (this.older?.ends ?? false)
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

/** All rows of a batch. */
export const batchRows = (batch: ColumnBatch): BatchRow[] =>
  Array.from({ length: batch.count }, (_, index) => new BatchRow(batch, index, undefined))
