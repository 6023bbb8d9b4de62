import { requestLimits } from '../../lib/limits/requests.ts'
import { readChunks } from '../../runtime/platform/files/file-chunks.ts'
import { fileBytes } from '../../runtime/platform/files/files.ts'
import type { PrintedRows } from '../tables/index.ts'

/** All row digests have the same length. */
const digestChars = 43
/** Before each block: how many rows there are, and how many bytes of JSON. */
const headBytes = 8

/** Memory that is used again: what was in it before is overwritten. */
class ReusedMemory {
  private memory = new ArrayBuffer(0)

  ofLength(length: number): Buffer {
    if (this.memory.byteLength < length) this.memory = new ArrayBuffer(Math.ceil(length * 1.25))
    return Buffer.from(this.memory, 0, length)
  }
}

/** Puts rows together that are stored at once. */
export class RowBlocks {
  private digests: string[] = []
  private vals: string[] = []
  private chars = 0
  private readonly memory = new ReusedMemory()

  add(digest: string, val: string): void {
    this.digests.push(digest)
    this.vals.push(val)
    this.chars += val.length
  }

  get isEmpty(): boolean {
    return this.digests.length === 0
  }

  get isFull(): boolean {
    return this.digests.length >= requestLimits.tableRowsTogether || this.chars >= requestLimits.tableBytesTogether
  }

  /** Takes the rows out as one block: head, offsets, digests, JSON. Valid until the next call. */
  take(): Uint8Array {
    const { digests, vals, chars } = this
    this.digests = []
    this.vals = []
    this.chars = 0
    const json = vals.join('')
    const jsonBytes = Buffer.byteLength(json)
    const isAscii = jsonBytes === chars
    const digestsAt = headBytes + (digests.length + 1) * 4
    const jsonAt = digestsAt + digests.length * digestChars
    const bytes = this.memory.ofLength(jsonAt + jsonBytes)
    bytes.writeUInt32LE(digests.length, 0)
    bytes.writeUInt32LE(jsonBytes, 4)
    bytes.writeUInt32LE(0, headBytes)
    let end = 0
    for (const [row, val] of vals.entries()) {
      end += isAscii ? val.length : Buffer.byteLength(val)
      bytes.writeUInt32LE(end, headBytes + (row + 1) * 4)
    }
    bytes.write(digests.join(''), digestsAt, 'latin1')
    bytes.write(json, jsonAt)
    return bytes
  }
}

/** The rows of a temporary file, block by block: the bytes of one are valid until the next. */
export async function* storedRows(path: string): AsyncGenerator<PrintedRows> {
  const end = await fileBytes(path)
  const memory = new ReusedMemory()
  for (let at = 0; at < end; ) {
    const head = await read(path, at, Buffer.alloc(headBytes))
    const rows = head.readUInt32LE(0)
    const digestsAt = (rows + 1) * 4
    const jsonAt = digestsAt + rows * digestChars
    const block = await read(path, at + headBytes, memory.ofLength(jsonAt + head.readUInt32LE(4)))
    // A text that is cut from a longer one keeps all of that in memory: here, other digests only.
    const digests = block.toString('latin1', digestsAt, jsonAt)
    yield {
      digests: Array.from({ length: rows }, (_, row) => digests.slice(row * digestChars, (row + 1) * digestChars)),
      offsets: new Int32Array(block.buffer, 0, rows + 1),
      bytes: block.subarray(jsonAt),
    }
    at += headBytes + block.length
  }
}

async function read(path: string, from: number, into: Buffer): Promise<Buffer> {
  let at = 0
  for await (const piece of readChunks(path, from, from + into.length)) {
    into.set(piece, at)
    at += piece.length
  }
  return into
}
