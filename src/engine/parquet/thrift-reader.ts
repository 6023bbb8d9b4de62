/** Types of fields and list items in Thrift's compact protocol. */
export const thriftType = {
  stop: 0,
  yes: 1,
  no: 2,
  i8: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  struct: 12,
} as const

const setType = 10

/**
 * Reads Thrift's compact protocol, in which the metadata of Parquet files is written
 * (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md). Objects are
 * not built: a caller takes the fields that it knows, and skips the others.
 */
export class ThriftReader {
  private readonly bytes: Uint8Array
  /** Position of the next byte. */
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  /**
   * Calls `visit` for each field of a struct. It must read or skip the value of the field.
   *
   * @throws RangeError if the bytes end
   */
  struct(visit: (field: number, type: number) => void): void {
    let field = 0
    for (;;) {
      const head = this.byte()
      if (head === thriftType.stop) return
      const delta = head >>> 4
      field = delta === 0 ? this.integer() : field + delta
      visit(field, head & 15)
    }
  }

  /**
   * Calls `visit` for each item of a list, which must read or skip it.
   *
   * @throws RangeError if the bytes end
   */
  list(visit: (type: number, index: number) => void): void {
    const head = this.byte()
    const count = head >>> 4 === 15 ? this.unsigned() : head >>> 4
    // Every item has a byte. Skipping some kinds of items would not notice the end.
    if (count > this.bytes.length - this.at) throw new RangeError('a list is cut off')
    for (let index = 0; index < count; index++) visit(head & 15, index)
  }

  /** A signed integer of any width within ±2^53. */
  integer(): number {
    const value = this.unsigned()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  binary(): Buffer {
    const length = this.unsigned()
    const from = this.bytes.byteOffset + this.at
    this.at += length
    return Buffer.from(this.bytes.buffer, from, length)
  }

  skip(type: number): void {
    switch (type) {
      case thriftType.yes:
      case thriftType.no:
        return
      case thriftType.i8:
        this.at++
        return
      case thriftType.i16:
      case thriftType.i32:
      case thriftType.i64:
        while (this.byte() > 127);
        return
      case thriftType.double:
        this.at += 8
        return
      case thriftType.binary:
        this.skipBytes(this.unsigned())
        return
      case thriftType.list:
      case setType:
        this.list((item) => this.skipItem(item))
        return
      case thriftType.struct:
        this.struct((_, inner) => this.skip(inner))
        return
      default:
        throw new RangeError(`a value has the unknown type ${type}`)
    }
  }

  private skipBytes(count: number): void {
    this.at += count
  }

  /** A boolean in a list is a byte; in a struct it is part of its type. */
  private skipItem(type: number): void {
    if (type === thriftType.yes || type === thriftType.no) this.at++
    else this.skip(type)
  }

  private unsigned(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte()
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }

  private byte(): number {
    const byte = this.bytes[this.at++]
    if (byte === undefined) throw new RangeError('the bytes end too early')
    return byte
  }
}
