import { type DuckDBConnection, DuckDBDataChunk, DuckDBListValue } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { setBit } from '../../lib/column-batch.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { itemAt } from '../../lib/present.ts'
import type { Column, Row } from '../../lib/table.ts'
import { yieldToEventLoop } from '../platform/event-loop.ts'
import { duckTypes } from './column-types.ts'
import { TextVector, vectorRows } from './text-vector.ts'

/** A column of the target table and the index of its cell in the appended rows. */
export interface AppendedColumn {
  readonly column: Column
  readonly cell: number
}

/**
 * Appends rows to DuckDB tables of one shape, a vector at a time. Filling a reused chunk column by
 * column through the C API costs about 5 µs per row of 24 columns; converting value by value costs
 * 15.
 */
export class ChunkAppender {
  private readonly columns: readonly AppendedColumn[]
  private readonly chunk: DuckDBDataChunk
  private readonly validity = new Uint8Array(vectorRows / 8)
  private readonly words = new Int32Array(vectorRows * 2)
  private readonly doubles = new Float64Array(vectorRows)
  private readonly texts = new TextVector(vectorRows)

  constructor(columns: readonly AppendedColumn[]) {
    this.columns = columns
    this.chunk = DuckDBDataChunk.create(columns.map(({ column }) => duckTypes[column.type]))
  }

  /**
   * Appends within the connection's transaction; without one, vectors before a failure are kept.
   * Yields after each vector; meanwhile neither the connection nor this appender may be used.
   */
  async append(connection: DuckDBConnection, tableName: string, rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return
    const appender = await connection.createAppender(tableName)
    try {
      for (let from = 0, count = 0; from < rows.length; from += count) {
        count = this.rowsInVector(rows, from)
        this.chunk.reset()
        this.chunk.rowCount = count
        this.columns.forEach(({ column, cell }, index) => {
          if (column.type === 'texts') this.fillLists(index, rows, cell, from, count)
          else if (column.type === 'text' || column.type === 'json') this.fillTexts(index, rows, cell, from, count)
          else if (column.type === 'number') this.fillNumbers(index, rows, cell, from, count)
          else this.fillIntegers(index, rows, cell, from, count)
        })
        appender.appendDataChunk(this.chunk)
        // DuckDB ingests appended data on this thread, so flush after each vector; flushing a
        // backlog at once would block all requests.
        appender.flushSync()
        if (from + count < rows.length) await yieldToEventLoop()
      }
    } finally {
      appender.closeSync()
    }
  }

  /**
   * How many rows starting at `from` go into one vector: fewer if they have long lists, which take
   * the slow path.
   */
  private rowsInVector(rows: readonly Row[], from: number): number {
    const most = Math.min(vectorRows, rows.length - from)
    const lists = this.columns.filter(({ column }) => column.type === 'texts')
    if (lists.length === 0) return most
    let elements = 0
    for (let count = 0; count < most; count++) {
      for (const { cell } of lists) {
        const value = itemAt(rows, from + count)[cell]
        if (Array.isArray(value)) elements += value.length
      }
      if (elements > requestLimits.listElementsTogether) return Math.max(1, count)
    }
    return most
  }

  private fillTexts(index: number, rows: readonly Row[], cell: number, from: number, count: number): void {
    const vector = this.vector(index)
    const validity = this.validity.fill(0)
    const present = this.texts.fill(vector, count, validity, (row) => itemAt(rows, from + row)[cell])
    this.markNulls(vector, present, count)
  }

  private fillIntegers(index: number, rows: readonly Row[], cell: number, from: number, count: number): void {
    const vector = this.vector(index)
    const validity = this.validity.fill(0)
    const words = this.words
    let present = 0
    for (let i = 0; i < count; i++) {
      const value = itemAt(rows, from + i)[cell]
      if (typeof value !== 'number') continue
      present++
      setBit(validity, i)
      // Little-endian two's complement in two halves, without a BigInt for each value.
      const high = Math.floor(value / 4_294_967_296)
      words[i * 2] = value - high * 4_294_967_296
      words[i * 2 + 1] = high
    }
    if (present > 0) duckdb.copy_data_to_vector(vector, 0, words.buffer, 0, count * 8)
    this.markNulls(vector, present, count)
  }

  private fillNumbers(index: number, rows: readonly Row[], cell: number, from: number, count: number): void {
    const vector = this.vector(index)
    const validity = this.validity.fill(0)
    let present = 0
    for (let i = 0; i < count; i++) {
      const value = itemAt(rows, from + i)[cell]
      if (typeof value !== 'number') continue
      present++
      setBit(validity, i)
      this.doubles[i] = value
    }
    if (present > 0) duckdb.copy_data_to_vector(vector, 0, this.doubles.buffer, 0, count * 8)
    this.markNulls(vector, present, count)
  }

  private fillLists(index: number, rows: readonly Row[], cell: number, from: number, count: number): void {
    const values = Array.from({ length: count }, (_, i) => {
      const value = itemAt(rows, from + i)[cell]
      return Array.isArray(value) ? new DuckDBListValue(value) : null
    })
    if (values.some((value) => value !== null)) this.chunk.setColumnValues(index, values)
    else {
      this.validity.fill(0)
      this.markNulls(this.vector(index), 0, count)
    }
  }

  private markNulls(vector: duckdb.Vector, present: number, count: number): void {
    if (present === count) return
    duckdb.vector_ensure_validity_writable(vector)
    duckdb.copy_data_to_vector_validity(vector, 0, this.validity.buffer, 0, Math.ceil(count / 64) * 8)
  }

  private vector(index: number): duckdb.Vector {
    return duckdb.data_chunk_get_vector(this.chunk.chunk, index)
  }
}

/** The columns selected by `kept`, with their cell indexes. */
export const appendedColumns = (columns: readonly Column[], kept: (column: Column) => boolean): AppendedColumn[] =>
  columns.flatMap((column, cell) => (kept(column) ? [{ column, cell }] : []))
