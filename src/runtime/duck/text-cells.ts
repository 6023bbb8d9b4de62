import { type DuckDBDataChunk, type DuckDBResult, DuckDBTypeId } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { releaseBytes } from '../../lib/bytes.ts'
import { hasBit } from '../../lib/column-batch.ts'
import { itemAt } from '../../lib/present.ts'
import type { Cell } from '../../lib/table.ts'
import { stringLayout, textEntries, toCell } from './text-rows.ts'

const { entryBytes, inlineBytesMax, lengthAt, inlineTextAt, addressAt } = stringLayout
const wordValues = 2 ** 32

/**
 * Texts with at most this many bytes between them are copied at once. So small a gap cannot contain
 * a page of memory without a part of either text. Texts of a Parquet page are four bytes apart.
 */
const gapBytesMax = 8
const copiedBytesMax = 256 * 1024

/** Texts that were copied at once, by their addresses. */
interface Copied {
  readonly from: number
  readonly to: number
  readonly bytes: Buffer
}

/** The cells of a result by row. */
export async function rowsOf(result: DuckDBResult): Promise<Cell[][]> {
  const rows: Cell[][] = []
  for (const chunk of await result.fetchAllChunks()) {
    const columns = columnsOf(chunk)
    for (let row = 0; row < chunk.rowCount; row++) rows.push(columns.map((cells) => itemAt(cells, row)))
    chunk.reset()
  }
  return rows
}

/** The cells of a chunk by column. */
export function columnsOf(chunk: DuckDBDataChunk): Cell[][] {
  return Array.from({ length: chunk.columnCount }, (_, column): Cell[] => {
    const vector = duckdb.data_chunk_get_vector(chunk.chunk, column)
    const type: number = duckdb.get_type_id(duckdb.vector_get_column_type(vector))
    if (type === DuckDBTypeId.VARCHAR) return textCells(vector, chunk.rowCount)
    return chunk.convertColumnValues(column, (value) => toCell(value))
  })
}

/**
 * The cells of a VARCHAR vector. DuckDB's package makes a call for each text, which costs several
 * times as much as the text itself. So texts that follow each other in memory are copied at once,
 * and a text that many rows share is made once.
 */
function textCells(vector: duckdb.Vector, rows: number): (string | null)[] {
  const entries = textEntries(vector, rows)
  const inline = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength)
  const validity: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8)
  const isNull = (row: number) => validity !== null && !hasBit(validity, row)
  const lengthOf = (row: number) => entries.getUint32(row * entryBytes + lengthAt, true)
  const addressOf = (row: number) =>
    entries.getUint32(row * entryBytes + addressAt, true) +
    entries.getUint32(row * entryBytes + addressAt + 4, true) * wordValues

  /** Copies the text of a row, and those of the next rows as far as they follow it. */
  const copyFrom = (first: number): Copied => {
    const from = addressOf(first)
    let to = from + lengthOf(first)
    for (let row = first + 1; row < rows; row++) {
      if (isNull(row) || lengthOf(row) <= inlineBytesMax) continue
      const address = addressOf(row)
      const end = address + lengthOf(row)
      if (address < to || address - to > gapBytesMax || end - from > copiedBytesMax) break
      to = end
    }
    const at = entries.byteOffset + first * entryBytes + addressAt
    const copy = duckdb.get_data_from_pointer(entries.buffer, at, to - from)
    return { from, to, bytes: Buffer.from(copy.buffer, copy.byteOffset, copy.byteLength) }
  }

  const cells: (string | null)[] = []
  /** Texts that do not follow each other, by their addresses. */
  const scattered = new Map<number, { readonly length: number; readonly text: string }>()
  let copied: Copied | undefined
  for (let row = 0; row < rows; row++) {
    if (isNull(row)) {
      cells.push(null)
      continue
    }
    const length = lengthOf(row)
    if (length <= inlineBytesMax) {
      const at = row * entryBytes + inlineTextAt
      cells.push(inline.toString('utf8', at, at + length))
      continue
    }
    const address = addressOf(row)
    const known = scattered.get(address)
    if (known?.length === length) {
      cells.push(known.text)
      continue
    }
    if (copied === undefined || address < copied.from || address + length > copied.to) {
      if (copied !== undefined) releaseBytes(copied.bytes)
      copied = copyFrom(row)
    }
    const { from, to, bytes } = copied
    const text = bytes.toString('utf8', address - from, address - from + length)
    if (to - from === length) scattered.set(address, { length, text })
    cells.push(text)
  }
  if (copied !== undefined) releaseBytes(copied.bytes)
  return cells
}
