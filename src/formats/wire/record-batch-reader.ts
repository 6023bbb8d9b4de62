import { CompressionType, MessageHeader, Type } from 'apache-arrow'
import { Message } from 'apache-arrow/ipc/metadata/message'
import { numberAt } from '../../lib/bytes.ts'
import { type CellColumn, ColumnBatch } from '../../lib/column-batch.ts'
import { itemAt } from '../../lib/present.ts'
import type { Column, ColumnType } from '../../lib/table.ts'
import { unpacked } from './batch-compression.ts'

/** Types of Arrow in which cells of ours are stored. */
const storedTypes: Record<ColumnType, Type> = {
  text: Type.Utf8,
  json: Type.Utf8,
  time: Type.Timestamp,
  integer: Type.Int,
  number: Type.Float,
  texts: Type.List,
}

/** Numbers of fields in the tables `Message` and `RecordBatch` of Message.fbs. */
const messageHeaderType = 1
const messageHeader = 2
const messageBodyLength = 3
const batchLength = 0
const batchNodes = 1
const batchBuffers = 2
const batchCompression = 3
/** Number of the field in the table `BodyCompression`. */
const compressionCodec = 0

/** A table of a FlatBuffer: it begins with the distance back to the offsets of its fields. */
class FlatTable {
  private readonly bytes: Uint8Array
  private readonly view: DataView
  private readonly at: number
  private readonly offsets: number

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.at = at
    this.offsets = at - this.view.getInt32(at, true)
  }

  /** The lower half of a 64-bit integer. */
  int(field: number): number {
    const at = this.field(field)
    return at === undefined ? 0 : this.view.getInt32(at, true)
  }

  byte(field: number): number {
    const at = this.field(field)
    return at === undefined ? 0 : this.view.getUint8(at)
  }

  /** The table that a field refers to; undefined if it is missing. */
  table(field: number): FlatTable | undefined {
    return this.field(field) === undefined ? undefined : new FlatTable(this.bytes, this.follow(field))
  }

  /** Where the table or vector is that a field refers to. */
  follow(field: number): number {
    const at = this.field(field)
    if (at === undefined) throw new Error('Cannot read a record batch: its metadata is incomplete')
    return at + this.view.getUint32(at, true)
  }

  private field(field: number): number | undefined {
    const entry = 4 + field * 2
    if (entry >= this.view.getUint16(this.offsets, true)) return undefined
    const offset = this.view.getUint16(this.offsets + entry, true)
    return offset === 0 ? undefined : this.at + offset
  }
}

/**
 * Where the record batch message that begins at `at` ends, and how many rows it has, if its
 * metadata is right; undefined if there is none. Nothing is checked, so a checksum must follow.
 */
export function statedBatch(bytes: Uint8Array, at: number): { end: number; rowCount: number } | undefined {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const metadataBytes = view.getInt32(at + 4, true)
    const root = new FlatTable(bytes, at + 8 + view.getUint32(at + 8, true))
    if (root.byte(messageHeaderType) !== MessageHeader.RecordBatch) return undefined
    const rowCount = new FlatTable(bytes, root.follow(messageHeader)).int(batchLength)
    const end = at + 8 + metadataBytes + root.int(messageBodyLength)
    return end > at && end <= bytes.byteLength ? { end, rowCount } : undefined
  } catch {
    // Damaged or torn metadata points anywhere.
    return undefined
  }
}

/**
 * Reads record batch messages of the Arrow IPC format without turning cells into JavaScript values:
 * the result refers to the bytes of the message, or of what a compressed one holds.
 */
export class RecordBatchReader {
  private readonly columns: readonly Column[]
  /** For each column of the messages, its position in the table, unless the table lacks it. */
  private readonly positions: readonly { readonly type: Type; readonly cell: number | undefined }[] | undefined

  /**
   * @param schema the schema message that the batches follow
   * @param columns those of the table; of the others nothing is read
   */
  constructor(schema: Uint8Array, columns: readonly Column[]) {
    this.columns = columns
    this.positions = positionsOf(schema, columns)
  }

  /**
   * A batch of intact bytes; undefined if the types are not those of the table.
   *
   * @param message begins at a multiple of 8 in its memory
   */
  read(message: Uint8Array): ColumnBatch | undefined {
    const { positions } = this
    if (positions === undefined || message.byteOffset % 8 !== 0) return undefined
    const words = new Int32Array(message.buffer, message.byteOffset, message.byteLength >> 2)
    const body = new Body(message, words)
    const cells: (CellColumn | undefined)[] = new Array(this.columns.length).fill(undefined)
    for (const { type, cell } of positions) {
      const column = body.next(type)
      if (cell !== undefined) cells[cell] = column
    }
    return new ColumnBatch(body.rows, this.columns, cells)
  }
}

/**
 * Walks through the buffers of a message. Its metadata is a FlatBuffer (Message.fbs of the Arrow
 * format), which is read in place: decoding it into objects takes longer than everything else here.
 * So are its buffers; of a compressed message, only those that have values are decompressed.
 */
class Body {
  /** Rows of the batch. */
  readonly rows: number
  private readonly bytes: Uint8Array
  private readonly words: Int32Array
  private readonly bodyAt: number
  private readonly isCompressed: boolean
  /** Positions in words of the next field node and the next buffer, each of two 64-bit members. */
  private node: number
  private buffer: number

  constructor(bytes: Uint8Array, words: Int32Array) {
    this.bytes = bytes
    this.words = words
    this.bodyAt = 8 + numberAt(words, 1)
    const root = new FlatTable(bytes, 8 + numberAt(words, 2))
    const batch = new FlatTable(bytes, root.follow(messageHeader))
    this.rows = batch.int(batchLength)
    this.isCompressed = isCompressed(batch)
    // A vector begins with the number of its elements, which are aligned to 8 bytes.
    this.node = (batch.follow(batchNodes) + 4) >> 2
    this.buffer = (batch.follow(batchBuffers) + 4) >> 2
  }

  /** The next column; undefined if all its cells are null. */
  next(type: Type): CellColumn | undefined {
    const length = numberAt(this.words, this.node)
    const nullCount = numberAt(this.words, this.node + 2)
    this.node += 4
    const isEmpty = nullCount === length && length > 0
    const validity = this.region(nullCount > 0 && !isEmpty)
    if (type === Type.List) {
      const offsets = this.region(!isEmpty)
      const items = this.next(Type.Utf8) ?? noItems
      return offsets && { validity, offsets: ints(offsets), items }
    }
    if (type === Type.Utf8) {
      const offsets = this.region(!isEmpty)
      const texts = this.region(!isEmpty)
      if (offsets === undefined || texts === undefined) return undefined
      const { buffer, byteOffset, byteLength } = texts
      return { validity, offsets: ints(offsets), bytes: Buffer.from(buffer, byteOffset, byteLength) }
    }
    const values = this.region(!isEmpty)
    if (values === undefined) return undefined
    if (type !== Type.Float) return { validity, words: ints(values) }
    return { validity, doubles: new Float64Array(values.buffer, values.byteOffset, values.byteLength >> 3) }
  }

  /** The next buffer, if it is wanted. */
  private region(isWanted: boolean): Uint8Array | undefined {
    const from = this.bodyAt + numberAt(this.words, this.buffer)
    const to = from + numberAt(this.words, this.buffer + 2)
    this.buffer += 4
    if (!isWanted) return undefined
    const buffer = this.bytes.subarray(from, to)
    if (!this.isCompressed) return buffer
    const bytes = unpacked(buffer)
    // Part of the message would keep all of it in memory.
    return bytes.buffer === buffer.buffer || bytes.byteOffset % 8 !== 0 ? new Uint8Array(bytes) : bytes
  }
}

/** @throws Error if the buffers are compressed in another way */
function isCompressed(batch: FlatTable): boolean {
  const compression = batch.table(batchCompression)
  if (compression !== undefined && compression.byte(compressionCodec) !== CompressionType.ZSTD)
    throw new Error('Cannot read a record batch: it is not compressed by zstd')
  return compression !== undefined
}

const noItems: CellColumn = { validity: undefined, offsets: new Int32Array(1), bytes: Buffer.alloc(0) }

const ints = ({ buffer, byteOffset, byteLength }: Uint8Array): Int32Array =>
  new Int32Array(buffer, byteOffset, byteLength >> 2)

function positionsOf(schema: Uint8Array, columns: readonly Column[]) {
  const view = new DataView(schema.buffer, schema.byteOffset)
  const message = Message.decode(schema.subarray(8, 8 + view.getInt32(4, true)))
  if (!message.isSchema()) throw new Error('Cannot read record batches: the message before them is not a schema')
  const positions = message.header().fields.map(({ name, typeId }) => {
    const cell = columns.findIndex((column) => column.name === name)
    return { type: typeId, cell: cell < 0 ? undefined : cell }
  })
  const areAsStored = positions.every(({ type, cell }) =>
    cell === undefined ? readable.has(type) : type === storedTypes[itemAt(columns, cell).type],
  )
  return areAsStored ? positions : undefined
}

const readable: ReadonlySet<Type> = new Set(Object.values(storedTypes))
