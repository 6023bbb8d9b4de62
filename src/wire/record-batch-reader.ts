import { Type } from 'apache-arrow'
import { Message } from 'apache-arrow/ipc/metadata/message'
import { type CellColumn, ColumnBatch } from '../kernel/column-batch.ts'
import type { Column, ColumnType } from '../kernel/table.ts'

/** Types of Arrow in which cells of ours are stored. */
const storedTypes: Record<ColumnType, Type> = {
  text: Type.Utf8,
  json: Type.Utf8,
  time: Type.Timestamp,
  integer: Type.Int,
  number: Type.Float,
  texts: Type.List,
}

interface Region {
  readonly offset: number
  readonly length: number
}

interface BatchMetadata {
  readonly length: number
  readonly nodes: readonly { readonly length: number; readonly nullCount: number }[]
  readonly buffers: readonly Region[]
}

/**
 * Reads record batch messages of the Arrow IPC format without turning cells into JavaScript values:
 * the result refers to the bytes of the message.
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
    const view = new DataView(message.buffer, message.byteOffset)
    const bodyAt = 8 + view.getInt32(4, true)
    const header = Message.decode(message.subarray(8, bodyAt)).header() as unknown as BatchMetadata
    const body = new Body(message.subarray(bodyAt), header)
    const cells: (CellColumn | undefined)[] = new Array(this.columns.length).fill(undefined)
    for (const { type, cell } of positions) {
      const column = body.next(type)
      if (cell !== undefined) cells[cell] = column
    }
    return new ColumnBatch(header.length, this.columns, cells)
  }
}

/** Walks through the buffers of a message. */
class Body {
  private readonly bytes: Uint8Array
  private readonly metadata: BatchMetadata
  private node = 0
  private buffer = 0

  constructor(bytes: Uint8Array, metadata: BatchMetadata) {
    this.bytes = bytes
    this.metadata = metadata
  }

  /** The next column; undefined if all its cells are null. */
  next(type: Type): CellColumn | undefined {
    const { length, nullCount } = this.metadata.nodes[this.node++]!
    const bits = this.region()
    const validity = nullCount === 0 ? undefined : bits
    const isEmpty = nullCount === length && length > 0
    if (type === Type.List) {
      const offsets = ints(this.region())
      const items = this.next(Type.Utf8) ?? noItems
      return isEmpty ? undefined : { validity, offsets, items }
    }
    if (type === Type.Utf8) {
      const offsets = ints(this.region())
      const { buffer, byteOffset, byteLength } = this.region()
      return isEmpty ? undefined : { validity, offsets, bytes: Buffer.from(buffer, byteOffset, byteLength) }
    }
    const values = this.region()
    if (isEmpty) return undefined
    if (type !== Type.Float) return { validity, words: ints(values) }
    return { validity, doubles: new Float64Array(values.buffer, values.byteOffset, values.byteLength >> 3) }
  }

  private region(): Uint8Array<ArrayBuffer> {
    const { offset, length } = this.metadata.buffers[this.buffer++]!
    return this.bytes.subarray(offset, offset + length) as Uint8Array<ArrayBuffer>
  }
}

const noItems: CellColumn = { validity: undefined, offsets: new Int32Array(1), bytes: Buffer.alloc(0) }

const ints = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Int32Array =>
  new Int32Array(buffer, byteOffset, byteLength >> 2)

function positionsOf(schema: Uint8Array, columns: readonly Column[]) {
  const view = new DataView(schema.buffer, schema.byteOffset)
  const { fields } = Message.decode(schema.subarray(8, 8 + view.getInt32(4, true))).header() as unknown as {
    fields: readonly { readonly name: string; readonly type: { readonly typeId: Type } }[]
  }
  const positions = fields.map(({ name, type }) => {
    const cell = columns.findIndex((column) => column.name === name)
    return { type: type.typeId, cell: cell < 0 ? undefined : cell }
  })
  const areAsStored = positions.every(({ type, cell }) =>
    cell === undefined ? readable.has(type) : type === storedTypes[columns[cell]!.type],
  )
  return areAsStored ? positions : undefined
}

const readable: ReadonlySet<Type> = new Set(Object.values(storedTypes))
