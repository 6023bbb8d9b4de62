import { type DuckDBDataChunk, DuckDBListValue, DuckDBTimestampTZValue, type DuckDBValue } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { releaseBytes } from '../../lib/bytes.ts'
import type { Cell } from '../../lib/table.ts'

/**
 * Memory layout of `duckdb_string_t` (duckdb.h, the public C API), little-endian. A text of at most
 * `inlineBytesMax` bytes is stored in the entry, followed by zeros; a longer one as its first four
 * bytes and its address. `string-layout.test.ts` checks this against the installed DuckDB.
 */
export const stringLayout = {
  entryBytes: 16,
  inlineBytesMax: 12,
  /**
   * Offsets in the entry: the length (uint32), and, by length, the text or the address (uint64).
   */
  lengthAt: 0,
  inlineTextAt: 4,
  addressAt: 8,
} as const

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

const { entryBytes, inlineBytesMax, lengthAt, inlineTextAt, addressAt } = stringLayout

/** The entries of a VARCHAR vector; see `stringLayout`. */
export function textEntries(vector: duckdb.Vector, rows: number): DataView<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = duckdb.vector_get_data(vector, rows * entryBytes)
  return new DataView(buffer as ArrayBuffer, byteOffset, byteLength)
}

/**
 * The texts of a VARCHAR column without nulls, for some rows of one chunk, as UTF-8 bytes. DuckDB
 * stores the texts of a vector contiguously, so runs of them are copied at once, without creating
 * JavaScript strings. Valid until the chunk is reset.
 */
export class TextRows {
  private readonly chunk: DuckDBDataChunk
  private readonly entries: DataView<ArrayBuffer>
  private readonly from: number
  private readonly to: number

  private constructor(chunk: DuckDBDataChunk, entries: DataView<ArrayBuffer>, from: number, to: number) {
    this.chunk = chunk
    this.entries = entries
    this.from = from
    this.to = to
  }

  /** All rows of the first column. */
  static of(chunk: DuckDBDataChunk): TextRows {
    const rows = chunk.rowCount
    const vector = duckdb.data_chunk_get_vector(chunk.chunk, 0)
    return new TextRows(chunk, textEntries(vector, rows), 0, rows)
  }

  get length(): number {
    return this.to - this.from
  }

  /**
   * The rows from `from` up to, but excluding, `to`, like `Array.slice` with non-negative
   * arguments.
   */
  slice(from: number, to: number): TextRows {
    const start = Math.min(this.from + from, this.to)
    return new TextRows(this.chunk, this.entries, start, Math.max(start, Math.min(this.from + to, this.to)))
  }

  /**
   * The concatenated texts in pieces of whole texts, each at least `bytesMin` bytes except the
   * last. Each piece is a copy.
   */
  *pieces(bytesMin: number): Generator<Uint8Array> {
    let row = this.from
    while (row < this.to) {
      const first = row
      let bytes = 0
      while (row < this.to && bytes < bytesMin) bytes += this.bytesOf(row++)
      yield this.copy(first, row, bytes)
    }
  }

  private copy(from: number, to: number, bytes: number): Uint8Array {
    let piece: Uint8Array | undefined
    let at = 0
    for (let row = from; row < to; ) {
      const length = this.bytesOf(row)
      if (length <= inlineBytesMax) {
        piece ??= new Uint8Array(bytes)
        piece.set(this.view(row, inlineTextAt, length), at)
        at += length
        row++
        continue
      }
      const first = row
      const runBytes = this.runFrom(first, to)
      for (let left = runBytes; left > 0; row++) left -= this.bytesOf(row)
      const { buffer, byteOffset } = this.view(first, addressAt, 8)
      const run = duckdb.get_data_from_pointer(buffer, byteOffset, runBytes)
      // It is a copy already.
      if (runBytes === bytes) return run
      piece ??= new Uint8Array(bytes)
      piece.set(run, at)
      releaseBytes(run)
      at += runBytes
    }
    return piece ?? new Uint8Array(0)
  }

  /** Bytes of the contiguous run of texts that starts at row `first`. */
  private runFrom(first: number, to: number): number {
    let bytes = this.bytesOf(first)
    let end = this.addressOf(first) + BigInt(bytes)
    for (let row = first + 1; row < to; row++) {
      const length = this.bytesOf(row)
      if (length <= inlineBytesMax || this.addressOf(row) !== end) break
      bytes += length
      end += BigInt(length)
    }
    return bytes
  }

  private bytesOf(row: number): number {
    return this.entries.getUint32(row * entryBytes + lengthAt, true)
  }

  private addressOf(row: number): bigint {
    return this.entries.getBigUint64(row * entryBytes + addressAt, true)
  }

  private view(row: number, offset: number, bytes: number): Uint8Array<ArrayBuffer> {
    const { buffer, byteOffset } = this.entries
    return new Uint8Array(buffer, byteOffset + row * entryBytes + offset, bytes)
  }
}
