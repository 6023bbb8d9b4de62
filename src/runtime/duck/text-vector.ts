import duckdb from '@duckdb/node-bindings'
import type { BatchRow } from '../../lib/batch-row.ts'
import { bytesOf, type ColumnBatch, hasBit, offsetAt, setBit } from '../../lib/column-batch.ts'
import { itemAt } from '../../lib/present.ts'
import type { Cell } from '../../lib/table.ts'
import { stringLayout } from './text-rows.ts'

/** Cells of a vector that are contiguous in a batch. */
export interface BatchRun {
  readonly batch: ColumnBatch
  /** Row of the batch that the run begins with. */
  readonly index: number
  /** Row of the vector that the run begins with. */
  readonly at: number
  readonly count: number
}

/** The runs of `count` rows from `from`; undefined if rows have older parts in other batches. */
export function runsOf(rows: readonly BatchRow[], from: number, count: number): readonly BatchRun[] | undefined {
  const runs: BatchRun[] = []
  for (let at = 0; at < count; ) {
    const { batch, index } = itemAt(rows, from + at)
    let next = at
    for (; next < count; next++) {
      const row = itemAt(rows, from + next)
      if (row.older !== undefined) return undefined
      if (row.batch !== batch || row.index !== index + next - at) break
    }
    runs.push({ batch, index, at, count: next - at })
    at = next
  }
  return runs
}

/** The same for one column, whose cells may be in older parts of the rows. */
export function runsOfCell(rows: readonly BatchRow[], cell: number, from: number, count: number): readonly BatchRun[] {
  const runs: BatchRun[] = []
  for (let at = 0; at < count; at++) {
    const part = itemAt(rows, from + at).holderOf(cell)
    if (part !== undefined) runs.push({ batch: part.batch, index: part.index, at, count: 1 })
  }
  return runs
}

/** DuckDB's vector size. */
export const vectorRows = 2048

/**
 * Longer texts are passed one by one: copying them costs more than the call, and the buffer stays
 * small.
 */
const gatheredCharsMax = 4096
/** The same for texts that are already bytes. */
const copiedBytesMax = 64 * 1024
const { entryBytes, inlineBytesMax, addressAt } = stringLayout
const wordValues = 2 ** 32

/**
 * Fills VARCHAR vectors. One DuckDB call per text would double the cost, so the texts of a vector
 * are passed as a single string; DuckDB returns its address, and the vector's entries (length, and
 * either the inline text or its first four bytes and its address) are built here and copied at
 * once.
 */
export class TextVector {
  private gathered = Buffer.from(new ArrayBuffer(256 * 1024))
  private view = new DataView(this.gathered.buffer)
  private readonly starts: Int32Array
  private readonly lengths: Int32Array
  private readonly entries: Int32Array<ArrayBuffer>

  /** @param rowsMax maximum number of rows in a vector */
  constructor(rowsMax: number) {
    this.starts = new Int32Array(rowsMax)
    this.lengths = new Int32Array(rowsMax)
    this.entries = new Int32Array((rowsMax * entryBytes) / 4)
  }

  /**
   * Writes the texts among `count` cells and sets their bits in `validity`.
   * @returns the number of texts
   */
  fill(vector: duckdb.Vector, count: number, validity: Uint8Array, cellAt: (row: number) => Cell | undefined): number {
    const large: { row: number; text: string }[] = []
    let present = 0
    let end = 0
    let before: Cell | undefined
    let start = 0
    let length = 0
    for (let row = 0; row < count; row++) {
      const cell = cellAt(row)
      this.lengths[row] = 0
      if (typeof cell !== 'string') continue
      present++
      setBit(validity, row)
      if (cell.length > gatheredCharsMax) {
        large.push({ row, text: cell })
        continue
      }
      // Adjacent rows often share a project, a trace or a user.
      if (cell !== before) {
        start = end
        length = this.gather(cell, end)
        end += length
        before = cell
      }
      this.starts[row] = start
      this.lengths[row] = length
    }
    if (present === 0) return 0
    this.passEntries(vector, count, end)
    for (const { row, text } of large) {
      const bytes = this.gather(text, 0)
      duckdb.vector_assign_string_element_len(vector, row, this.gathered.subarray(0, bytes))
    }
    return present
  }

  /**
   * The same for texts of batches: contiguous bytes are copied at once. Rows without a text get
   * `ifMissing`, if that is stated.
   */
  copy(
    vector: duckdb.Vector,
    count: number,
    validity: Uint8Array,
    runs: readonly BatchRun[],
    { cell, ifMissing }: { readonly cell: number; readonly ifMissing?: string | undefined },
  ): number {
    const large: { row: number; text: Uint8Array }[] = []
    const { starts, lengths } = this
    lengths.fill(0, 0, count)
    let present = 0
    /** Range to copy next: [`from`, `to`) of `source`, to the end of the buffer. */
    let source: Buffer | undefined
    let from = 0
    let to = 0
    let end = 0
    for (const run of runs) {
      const column = run.batch.columns[cell]
      if (column === undefined) continue
      const { validity: bits } = column
      const bytes = bytesOf(column)
      for (let i = 0; i < run.count; i++) {
        const index = run.index + i
        if (bits !== undefined && !hasBit(bits, index)) continue
        const row = run.at + i
        present++
        setBit(validity, row)
        const start = offsetAt(column, index)
        const length = offsetAt(column, index + 1) - start
        if (length > copiedBytesMax) {
          large.push({ row, text: bytes.subarray(start, start + length) })
          continue
        }
        if (bytes !== source || start !== to) {
          end += this.take(source, from, to, end)
          source = bytes
          from = start
        }
        starts[row] = end + start - from
        lengths[row] = length
        to = start + length
      }
    }
    if (present === 0 && ifMissing === undefined) return 0
    end += this.take(source, from, to, end)
    if (ifMissing !== undefined && present < count) {
      end += this.fillMissing(count, validity, ifMissing, end)
      present = count
    }
    this.passEntries(vector, count, end)
    for (const { row, text } of large) duckdb.vector_assign_string_element_len(vector, row, text)
    return present
  }

  /**
   * Gives all rows without a text the same one, and appends it to the buffer.
   * @returns how many bytes
   */
  private fillMissing(count: number, validity: Uint8Array, text: string, at: number): number {
    const bytes = this.gather(text, at)
    for (let row = 0; row < count; row++) {
      if ((validity[row >> 3]! & (1 << (row & 7))) !== 0) continue
      validity[row >> 3]! |= 1 << (row & 7)
      this.starts[row] = at
      this.lengths[row] = bytes
    }
    return bytes
  }

  /**
   * Appends UTF-8 to the buffer.
   * @returns how many bytes
   */
  private gather(text: string, at: number): number {
    this.reserve(at, text.length * 3)
    return text === '' ? 0 : this.gathered.write(text, at)
  }

  /**
   * Appends a piece of `source` to the buffer.
   * @returns how many bytes
   */
  private take(source: Buffer | undefined, from: number, to: number, at: number): number {
    if (source === undefined || from === to) return 0
    this.reserve(at, to - from)
    this.gathered.set(source.subarray(from, to), at)
    return to - from
  }

  private reserve(at: number, bytes: number): void {
    // Words are read whole, up to three bytes past the end of a text.
    const needed = at + bytes + 4
    if (needed <= this.gathered.length) return
    const larger = Buffer.from(new ArrayBuffer(Math.max(needed, this.gathered.length * 2)))
    larger.set(this.gathered.subarray(0, at))
    this.gathered = larger
    this.view = new DataView(larger.buffer)
  }

  /** @param end number of bytes in the buffer */
  private passEntries(vector: duckdb.Vector, count: number, end: number): void {
    this.fillEntries(count, this.handOver(vector, end))
    duckdb.copy_data_to_vector(vector, 0, this.entries.buffer, 0, count * entryBytes)
  }

  /**
   * Copies the buffer into DuckDB, which keeps it as long as the vector.
   * @returns its address, or 0 if all texts are inline
   */
  private handOver(vector: duckdb.Vector, bytes: number): number {
    if (bytes <= inlineBytesMax) return 0
    duckdb.vector_assign_string_element_len(vector, 0, this.gathered.subarray(0, bytes))
    const { buffer, byteOffset } = duckdb.vector_get_data(vector, entryBytes)
    const entry = new DataView(buffer, byteOffset, entryBytes)
    return entry.getUint32(addressAt, true) + entry.getUint32(addressAt + 4, true) * wordValues
  }

  private fillEntries(count: number, address: number): void {
    const { entries, view } = this
    for (let row = 0; row < count; row++) {
      const at = row * 4
      const length = itemAt(this.lengths, row)
      const start = itemAt(this.starts, row)
      entries[at] = length
      if (length > inlineBytesMax) {
        entries[at + 1] = view.getInt32(start, true)
        entries[at + 2] = (address + start) % wordValues
        entries[at + 3] = Math.floor((address + start) / wordValues)
      } else {
        // Bytes after the text are zero; otherwise equal texts would differ.
        entries[at + 1] = this.inlineWord(start, length)
        entries[at + 2] = this.inlineWord(start + 4, length - 4)
        entries[at + 3] = this.inlineWord(start + 8, length - 8)
      }
    }
  }

  private inlineWord(start: number, length: number): number {
    if (length <= 0) return 0
    const word = this.view.getInt32(start, true)
    return length >= 4 ? word : word & ((1 << (length * 8)) - 1)
  }
}
