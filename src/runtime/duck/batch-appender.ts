import { type DuckDBConnection, DuckDBDataChunk, DuckDBListValue } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import type { BatchRow } from '../../lib/batch-row.ts'
import { MiB } from '../../lib/bytes.ts'
import { type CellColumn, hasBit, setBit } from '../../lib/column-batch.ts'
import { itemAt, present } from '../../lib/present.ts'
import type { Row } from '../../lib/table.ts'
import { yieldToEventLoop } from '../platform/event-loop.ts'
import type { AppendedColumn } from './chunk-appender.ts'
import { duckTypes } from './column-types.ts'
import { type BatchRun, runsOf, runsOfCell, TextVector, vectorRows } from './text-vector.ts'

/** Bytes of rows that make a vector shorter. */
const vectorBytesMax = 4 * MiB

/** Rows that become a vector. */
interface VectorRows {
  readonly rows: readonly BatchRow[]
  readonly from: number
  readonly count: number
  /** Undefined if rows have older parts. */
  readonly runs: readonly BatchRun[] | undefined
  readonly derived: readonly Row[] | undefined
}

/**
 * Appends rows of record batches to DuckDB tables of one shape: the bytes of their texts are copied
 * as they are, so no JavaScript string is made of them. Derived cells come as values.
 */
export class BatchAppender {
  private readonly columns: readonly AppendedColumn[]
  private readonly chunk: DuckDBDataChunk
  private readonly validity = new Uint8Array(vectorRows / 8)
  private readonly words = new Int32Array(vectorRows * 2)
  private readonly doubles = new Float64Array(this.words.buffer)
  private readonly texts = new TextVector(vectorRows)

  constructor(columns: readonly AppendedColumn[]) {
    this.columns = columns
    this.chunk = DuckDBDataChunk.create(columns.map(({ column }) => duckTypes[column.type]))
  }

  /**
   * Appends within the connection's transaction; see `ChunkAppender`.
   *
   * @param derived for each row its derived cells, at their positions in the table; undefined if
   *   they are in the batches
   */
  async append(
    connection: DuckDBConnection,
    tableName: string,
    rows: readonly BatchRow[],
    derived: readonly Row[] | undefined,
  ): Promise<void> {
    if (rows.length === 0) return
    const appender = await connection.createAppender(tableName)
    try {
      for (let from = 0, count = 0; from < rows.length; from += count) {
        count = rowsInVector(rows, from)
        this.chunk.reset()
        this.chunk.rowCount = count
        const runs = runsOf(rows, from, count)
        for (const [index, column] of this.columns.entries())
          if (isEmpty(column, runs, derived)) this.markEmpty(index, count)
          else this.fill(index, column, { rows, runs, derived, from, count })
        appender.appendDataChunk(this.chunk)
        appender.flushSync()
        if (from + count < rows.length) await yieldToEventLoop()
      }
    } finally {
      appender.closeSync()
    }
  }

  private fill(
    index: number,
    { column, cell }: AppendedColumn,
    { rows, runs, derived: derivedRows, from, count }: VectorRows,
  ): void {
    const derived = column.storedIn === 'files' ? derivedRows : undefined
    const vector = this.vector(index)
    this.validity.fill(0)
    let values = 0
    if (column.type === 'texts') values = this.lists(index, rows, cell, from, count)
    else if (derived === undefined) {
      const ofCell = runs ?? runsOfCell(rows, cell, from, count)
      const isText = column.type === 'text' || column.type === 'json'
      values = isText
        ? this.texts.copy(vector, count, this.validity, ofCell, { cell, ifMissing: column.ifMissing })
        : this.numbers(ofCell, cell)
    } else if (column.type === 'text' || column.type === 'json')
      values = this.texts.fill(vector, count, this.validity, (row) => itemAt(derived, from + row)[cell])
    else values = this.derivedNumbers(derived, cell, from, count, column.type === 'number')
    const isFixed = column.type === 'integer' || column.type === 'time' || column.type === 'number'
    if (isFixed && values > 0) duckdb.copy_data_to_vector(vector, 0, this.words.buffer, 0, count * 8)
    if (values < count) this.passValidity(vector, count)
  }

  /** All cells of a column are null. */
  private markEmpty(index: number, count: number): void {
    this.validity.fill(0)
    this.passValidity(this.vector(index), count)
  }

  private vector(index: number): duckdb.Vector {
    return duckdb.data_chunk_get_vector(this.chunk.chunk, index)
  }

  private passValidity(vector: duckdb.Vector, count: number): void {
    duckdb.vector_ensure_validity_writable(vector)
    duckdb.copy_data_to_vector_validity(vector, 0, this.validity.buffer, 0, Math.ceil(count / 64) * 8)
  }

  /** Integers, times and floating-point numbers: 8 bytes each, copied as they are. */
  private numbers(runs: readonly BatchRun[], cell: number): number {
    let values = 0
    for (const { batch, index, at, count } of runs) {
      const column = batch.columns[cell]
      if (column === undefined) continue
      if (column.doubles !== undefined) this.doubles.set(column.doubles.subarray(index, index + count), at)
      else
        this.words.set(
          present(column.words, 'The integers of a column').subarray(index * 2, (index + count) * 2),
          at * 2,
        )
      values += copyValidity(column, index, this.validity, at, count)
    }
    return values
  }

  private derivedNumbers(
    derived: readonly Row[],
    cell: number,
    from: number,
    count: number,
    areFractional: boolean,
  ): number {
    const { validity, words, doubles } = this
    let values = 0
    for (let i = 0; i < count; i++) {
      const value = itemAt(derived, from + i)[cell]
      if (typeof value !== 'number') continue
      values++
      setBit(validity, i)
      if (areFractional) doubles[i] = value
      else {
        const high = Math.floor(value / 4_294_967_296)
        words[i * 2] = value - high * 4_294_967_296
        words[i * 2 + 1] = high
      }
    }
    return values
  }

  /** Lists are rare, so they take the slow path. */
  private lists(index: number, rows: readonly BatchRow[], cell: number, from: number, count: number): number {
    let filled = 0
    const values: (DuckDBListValue | null)[] = []
    for (let i = 0; i < count; i++) {
      const value = itemAt(rows, from + i).cell(cell)
      if (Array.isArray(value)) filled++
      values.push(Array.isArray(value) ? new DuckDBListValue(value) : null)
    }
    if (filled === 0) return 0
    this.chunk.setColumnValues(index, values)
    // Sets the validity itself.
    return count
  }
}

/** Sets the bits of cells that have a value. Returns how many have one. */
function copyValidity({ validity }: CellColumn, index: number, bits: Uint8Array, at: number, count: number): number {
  let values = 0
  for (let i = 0; i < count; i++) {
    const row = index + i
    if (validity !== undefined && !hasBit(validity, row)) continue
    values++
    setBit(bits, at + i)
  }
  return values
}

/** Whether all cells of a column are null, as in many columns, without reading one by one. */
function isEmpty(
  { column, cell }: AppendedColumn,
  runs: readonly BatchRun[] | undefined,
  derived: readonly Row[] | undefined,
): boolean {
  if (runs === undefined || column.ifMissing !== undefined) return false
  if (column.storedIn === 'files' && derived !== undefined) return false
  return runs.every(({ batch }) => batch.columns[cell] === undefined)
}

function rowsInVector(rows: readonly BatchRow[], from: number): number {
  const most = Math.min(vectorRows, rows.length - from)
  let bytes = 0
  for (let count = 0; count < most; count++) {
    bytes += itemAt(rows, from + count).bytes
    if (bytes > vectorBytesMax) return Math.max(1, count)
  }
  return most
}
