import { Schema, tableFromIPC, type Vector } from 'apache-arrow'
import { arrowField, type CellAt, type Cells, partsOf } from '../../formats/wire/arrow-columns.ts'
import { endOfStream, schemaMessage } from '../../formats/wire/arrow-stream.ts'
import {
  compressBatch,
  decompressBatch,
  type PartsBefore,
  replaceColumn,
} from '../../formats/wire/batch-compression.ts'
import { RecordBatchReader } from '../../formats/wire/record-batch-reader.ts'
import { RecordBatchWriter } from '../../formats/wire/record-batch-writer.ts'
import { type BatchRow, batchRows } from '../../lib/batch-row.ts'
import type { Derivation } from '../../lib/column-batch.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt, ownValue } from '../../lib/present.ts'
import type { Cell, Column, Row, Table } from '../../lib/table.ts'
import { checksum } from '../../runtime/platform/files/bytes.ts'

/**
 * The last column of every WAL segment: CRC-32 (ISO-HDLC, as in zlib) of the schema message and of
 * the bytes of its batch before this column's values.
 */
export const checksumColumn = '_batch_crc32'

/** Rows of one table as messages. */
export interface EncodedMessages extends Derivation {
  /** The rows as they are written to the log. */
  readonly message: Uint8Array
  /** The same, not compressed; it may be the same bytes. */
  readonly plain: Uint8Array
  /** The derived cells. */
  readonly derived: Uint8Array
}

/** Messages with memory of their own. */
type OwnMessages = Readonly<Record<'message' | 'plain', Uint8Array<ArrayBuffer>>>

/** Rows of one batch, at least one, and the message of the log that contains them. */
export interface EncodedRows {
  readonly rows: readonly BatchRow[]
  readonly message: Uint8Array
}

/** What replaces the texts of one column in messages. */
interface Replacement {
  readonly cell: number
  readonly at: PartsBefore
  readonly writer: RecordBatchWriter
  readonly reader: RecordBatchReader
}

/**
 * Converts rows of one table to and from record batches of the Arrow IPC streaming format. The last
 * column holds the checksum of the batch in every row: its values are the last bytes of the
 * message, so the checksum covers everything before them, and any Arrow reader can open the file.
 * The other buffers of larger batches are compressed by zstd, as the format provides. See
 * docs/decisions/272-compressed-logs.md.
 */
export class BatchCodec {
  private readonly columns: readonly { column: Column; cell: number }[]
  private readonly tableColumns: readonly Column[]
  /** Columns that are computed: those that the log does not have, and those of `Lineage`. */
  private readonly derived: readonly { column: Column; cell: number }[]
  private derivedWriter: RecordBatchWriter | undefined
  private own: RecordBatchReader | undefined
  private ownDerived: RecordBatchReader | undefined
  private readonly width: number
  private readonly writer: RecordBatchWriter
  /** By name of the column. */
  private readonly replacements = new Map<string, Replacement>()
  readonly trailer = endOfStream
  private readonly written: readonly Parameters<typeof arrowField>[0][]
  private cached: { readonly header: Uint8Array; readonly checksum: number } | undefined

  constructor(table: Table) {
    this.tableColumns = table.columns
    this.width = table.columns.length
    this.columns = table.columns.flatMap((column, cell) => (column.storedIn === 'files' ? [] : [{ column, cell }]))
    const isComputed = (column: Column, cell: number) =>
      column.storedIn === 'files' || table.lineage?.cells.includes(cell)
    this.derived = table.columns.flatMap((column, cell) => (isComputed(column, cell) ? [{ column, cell }] : []))
    const written = [...this.columns.map(({ column }) => column), { name: checksumColumn, type: 'uint32' } as const]
    this.writer = new RecordBatchWriter(written.map(({ type }) => type))
    this.written = written
  }

  /** The schema message that begins a segment. */
  get header(): Uint8Array {
    return this.prepared.header
  }

  /** Created lazily: most tables are opened without being written to. */
  private get prepared(): { readonly header: Uint8Array; readonly checksum: number } {
    if (this.cached === undefined) {
      const header = schemaOf(this.written)
      this.cached = { header, checksum: checksum(header) }
    }
    return this.cached
  }

  /**
   * Encodes `rows` (at least one) as one record batch message. The bytes are valid until the next
   * call.
   */
  encode(rows: readonly Row[]): Uint8Array {
    return this.seal(compressBatch(this.writer.write(rows.length, this.cellsOf(rows))), rows.length)
  }

  /** The same in memory of its own, and what was compressed. */
  encodeTwice(rows: readonly Row[]): OwnMessages {
    return this.sealTwice(this.writer.write(rows.length, this.cellsOf(rows)), rows.length)
  }

  /** The same, yielding to other requests if there are many rows. Calls must not overlap. */
  async encodeYielding(rows: readonly Row[]): Promise<Uint8Array> {
    if (rows.length <= storageLimits.rowsInOneGoMax) return this.encode(rows)
    return this.seal(compressBatch(await this.writer.writeYielding(rows.length, this.cellsOf(rows))), rows.length)
  }

  /**
   * Encodes the cells of new rows, column by column, for a table without computed ones. The
   * messages have memory of their own.
   *
   * @param cellsOf by name of the column; the others are null
   */
  encodeColumns(count: number, cellsOf: Readonly<Record<string, Cells>>): EncodedMessages {
    const cells = this.columns.map(({ column }) => ownValue(cellsOf, column.name) ?? (() => null))
    return {
      ...this.sealTwice(this.writer.write(count, [...cells, () => 0]), count),
      derived: new Uint8Array(this.encodeDerived([])),
      derivedRows: new Uint8Array(count),
      hashes: new Uint32Array(),
    }
  }

  /** Rows with other texts in a column. Their message has memory of its own. */
  withTexts({ rows, message }: EncodedRows, name: string, texts: readonly (string | null)[]): EncodedRows {
    const { cell, at, writer, reader } = this.replacement(name)
    const written = new Uint8Array(writer.write(texts.length, [(row) => texts[row]]))
    return {
      rows: batchRows(itemAt(rows, 0).batch.withColumn(cell, reader.read(written)?.columns[cell])),
      message: this.seal(replaceColumn(message, written, at), texts.length),
    }
  }

  private replacement(name: string): Replacement {
    const known = this.replacements.get(name)
    if (known !== undefined) return known
    const position = this.columns.findIndex(({ column }) => column.name === name)
    const { column, cell } = itemAt(this.columns, position)
    const replacement = {
      cell,
      at: partsBefore(this.columns.slice(0, position)),
      writer: new RecordBatchWriter([column.type]),
      reader: new RecordBatchReader(schemaOf([column]), this.tableColumns),
    }
    this.replacements.set(name, replacement)
    return replacement
  }

  private cellsOf(rows: readonly Row[]): CellAt[] {
    return [...this.columns.map((column) => cellAt(rows, column)), () => 0]
  }

  private sealTwice(written: Uint8Array, count: number): OwnMessages {
    const plain = new Uint8Array(written)
    return { message: this.seal(compressBatch(plain), count), plain }
  }

  /** Fills in the last column of a message. */
  private seal<Bytes extends Uint8Array>(message: Bytes, count: number): Bytes {
    const crc = checksum(message.subarray(0, message.byteLength - checksumBytes(count)), this.prepared.checksum)
    const view = new DataView(message.buffer, message.byteOffset + message.byteLength - checksumBytes(count))
    for (let i = 0; i < count; i++) view.setUint32(i * 4, crc, true)
    return message
  }

  /**
   * Whether the batch message matches its checksum under the schema message with `headerChecksum`.
   */
  isIntact(message: Uint8Array, rowCount: number, headerChecksum: number): boolean {
    const covered = message.byteLength - checksumBytes(rowCount)
    if (rowCount < 1 || covered < 0) return false
    const stated = new DataView(message.buffer, message.byteOffset + covered).getUint32(0, true)
    return stated === checksum(message.subarray(0, covered), headerChecksum)
  }

  /**
   * Rows encoded by a codec of the same table and version, perhaps in another thread. Each message
   * begins its memory; that of the rows is freed once they have ended.
   */
  encoded({ message, plain, derived, derivedRows, hashes }: EncodedMessages): EncodedRows {
    this.own ??= new RecordBatchReader(this.header, this.tableColumns)
    this.ownDerived ??= new RecordBatchReader(schemaOf(this.derived.map(({ column }) => column)), this.tableColumns)
    const stored = this.own.read(plain)
    const cells = this.ownDerived.read(derived)
    if (stored === undefined || cells === undefined)
      throw new Error('Cannot read encoded rows: they belong to another table')
    const batch = stored.withDerived(cells, { derivedRows, hashes }).owning([plain, derived])
    return { rows: batchRows(batch), message }
  }

  /** The derived cells of rows as one message; the bytes are valid until the next call. */
  encodeDerived(rows: readonly Row[]): Uint8Array {
    this.derivedWriter ??= new RecordBatchWriter(this.derived.map(({ column }) => column.type))
    return this.derivedWriter.write(
      rows.length,
      this.derived.map((column) => cellAt(rows, column)),
    )
  }

  /** Reads the batches after a schema message. */
  reader(header: Uint8Array): (message: Uint8Array) => readonly (Row | BatchRow)[] {
    const reader = new RecordBatchReader(header, this.tableColumns)
    return (message) => {
      const batch = reader.read(message)
      return batch === undefined ? this.decode(header, message) : batchRows(batch)
    }
  }

  /** Decodes a batch message. Derived cells, and columns that the file lacks, are null. */
  decode(header: Uint8Array, message: Uint8Array): Row[] {
    const table = tableFromIPC([header, decompressBatch(message), endOfStream])
    const rows: Row[] = Array.from({ length: table.numRows }, () => new Array<Cell>(this.width).fill(null))
    for (const { column, cell } of this.columns) {
      const vector = table.getChild(column.name)
      if (vector === null) continue
      const cellOf = cellReader(column)
      for (const [index, row] of rows.entries()) row[cell] = cellOf(vector, index)
    }
    return rows
  }
}

/** How many nodes and buffers of a message some columns have. */
function partsBefore(columns: readonly { readonly column: Column }[]): PartsBefore {
  const before = columns.map(({ column }) => partsOf(column.type))
  return {
    nodes: before.reduce((sum, { nodes }) => sum + nodes, 0),
    buffers: before.reduce((sum, { regions }) => sum + regions, 0),
  }
}

const schemaOf = (columns: readonly Parameters<typeof arrowField>[0][]): Uint8Array =>
  schemaMessage(new Schema(columns.map(arrowField)))

const cellAt = (rows: readonly Row[], { cell }: { readonly cell: number }): CellAt => {
  return (row) => itemAt(rows, row)[cell]
}

type TextsVector = { get(index: number): Iterable<string> | null }

type TimeVector = Pick<Vector, 'isValid'> & { readonly data: readonly { readonly values: BigInt64Array }[] }

function cellReader(column: Column): (vector: Vector, index: number) => Cell {
  switch (column.type) {
    case 'text':
    case 'json':
      return (vector, index) => {
        const value = vector.get(index)
        return typeof value === 'string' ? value : null
      }
    case 'texts':
      return (vector: TextsVector, index) => {
        const list = vector.get(index)
        return list === null ? null : [...list]
      }
    case 'time':
      // Arrow's timestamp accessor returns milliseconds as a double, too coarse for microseconds
      // after the year 2109. A message is one batch, so its column is one chunk.
      return (vector: TimeVector, index) => (vector.isValid(index) ? Number(vector.data[0]!.values[index]) : null)
    case 'number':
      return (vector, index) => {
        const value = vector.get(index)
        return typeof value === 'number' ? value : null
      }
    case 'integer':
      return (vector, index) => {
        const value = vector.get(index)
        return typeof value === 'bigint' ? Number(value) : null
      }
  }
}

/** Size of the checksum column's values, padded to Arrow's 8-byte buffer alignment. */
const checksumBytes = (rowCount: number): number => Math.ceil((rowCount * 4) / 8) * 8
