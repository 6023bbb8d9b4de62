import type { Cell } from '../../lib/table.ts'
import { physicalType } from './footer.ts'

/** The file has something that is not read here. DuckDB may well read it. */
export class UnknownParquet extends Error {}

/** The values of a column in some rows of a row group, in the order of these rows. */
export class ColumnValues {
  /** How many rows there are. */
  readonly count: number
  private readonly type: number
  /** Where the value of each row begins in `bytes`; -1 for null. */
  private readonly starts: Int32Array
  private readonly bytes: Buffer

  constructor(type: number, starts: Int32Array, bytes: Buffer) {
    this.type = type
    this.starts = starts
    this.count = starts.length
    this.bytes = bytes
  }

  isNull(index: number): boolean {
    return this.starts[index]! < 0
  }

  /** Bytes of the text of a row; 0 for null, and for numbers. */
  textBytes(index: number): number {
    const start = this.starts[index]!
    return start < 0 || this.type !== physicalType.bytes ? 0 : this.bytes.readUInt32LE(start)
  }

  /** @throws UnknownParquet for a text that is not UTF-8 */
  cell(index: number): Cell {
    const start = this.starts[index]!
    if (start < 0) return null
    if (this.type === physicalType.int64) return Number(this.bytes.readBigInt64LE(start))
    if (this.type === physicalType.double) return this.bytes.readDoubleLE(start)
    const end = start + 4 + this.bytes.readUInt32LE(start)
    const text = this.bytes.toString('utf8', start + 4, end)
    if (text.includes('\uFFFD') && !Buffer.from(text).equals(this.bytes.subarray(start + 4, end)))
      throw new UnknownParquet('a text is not UTF-8')
    return text
  }

  /** Whether the text of a row is this one, in UTF-8. */
  hasText(index: number, text: Uint8Array): boolean {
    const { bytes } = this
    const start = this.starts[index]!
    if (start < 0 || bytes.readUInt32LE(start) !== text.byteLength) return false
    // Ids differ at their ends.
    for (let at = text.byteLength - 1; at >= 0; at--) if (bytes[start + 4 + at] !== text[at]) return false
    return true
  }
}
