import { requestLimits } from '../../lib/limits/requests.ts'
import { readChunks } from '../../runtime/platform/files/file-chunks.ts'
import { fileBytes } from '../../runtime/platform/files/files.ts'
import type { PrintedRows } from '../tables/index.ts'

/** All row digests have the same length. */
const digestChars = 43
/** Before each block: how many rows there are, and how many bytes of JSON. */
const headBytes = 8

/** Rows on their way to a temporary file, as many as are stored at once. */
export class RowBlock {
  private readonly digests: string[] = []
  private readonly vals: string[] = []
  private chars = 0

  add(digest: string, val: string): void {
    this.digests.push(digest)
    this.vals.push(val)
    this.chars += val.length
  }

  get rows(): number {
    return this.digests.length
  }

  get isFull(): boolean {
    return this.rows >= requestLimits.tableRowsLookedUp || this.chars >= requestLimits.tableBytesTogether
  }

  /** Head, offsets of the rows, digests and JSON. */
  get encoded(): Uint8Array {
    const { rows, vals } = this
    const json = Buffer.from(vals.join(''))
    const isAscii = json.length === this.chars
    const offsetsAt = headBytes
    const digestsAt = offsetsAt + (rows + 1) * 4
    const bytes = Buffer.alloc(digestsAt + rows * digestChars + json.length)
    bytes.writeUInt32LE(rows, 0)
    bytes.writeUInt32LE(json.length, 4)
    let end = 0
    for (const [row, val] of vals.entries()) {
      end += isAscii ? val.length : Buffer.byteLength(val)
      bytes.writeUInt32LE(end, offsetsAt + (row + 1) * 4)
    }
    bytes.write(this.digests.join(''), digestsAt, 'latin1')
    json.copy(bytes, digestsAt + rows * digestChars)
    return bytes
  }
}

/** The rows of a temporary file, block by block. */
export async function* storedRows(path: string): AsyncGenerator<PrintedRows> {
  const end = await fileBytes(path)
  for (let at = 0; at < end; ) {
    const head = await bytesAt(path, at, headBytes)
    const rows = head.readUInt32LE(0)
    const length = (rows + 1) * 4 + rows * digestChars + head.readUInt32LE(4)
    const block = await bytesAt(path, at + headBytes, length)
    const digestsAt = (rows + 1) * 4
    const jsonAt = digestsAt + rows * digestChars
    // A text that is cut from a longer one keeps all of that in memory: here, other digests only.
    const digests = block.toString('latin1', digestsAt, jsonAt)
    yield {
      digests: Array.from({ length: rows }, (_, row) => digests.slice(row * digestChars, (row + 1) * digestChars)),
      offsets: new Int32Array(block.buffer, block.byteOffset, rows + 1),
      bytes: block.subarray(jsonAt),
    }
    at += headBytes + length
  }
}

async function bytesAt(path: string, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.from(new ArrayBuffer(length))
  let at = 0
  for await (const piece of readChunks(path, from, from + length)) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
