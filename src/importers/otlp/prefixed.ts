import { concatBytes } from '../../lib/bytes.ts'
import { limits, MiB } from '../../lib/limits.ts'
import { decompressed, readDecompressed } from '../../runtime/platform/files/input-files.ts'

/**
 * How messages are delimited: by their length in four bytes, the highest first, as the collector's
 * file exporter does; or by a varint, as protobuf libraries do.
 */
type Prefix = 'four bytes' | 'varint'

/** Whether a file begins with the length of a message rather than with JSON. */
export async function isPrefixed(file: string): Promise<boolean> {
  return (await prefixOf(file)) !== undefined
}

/**
 * The messages of a length-prefixed file, one at a time: bytes of protobuf, or texts of JSON. Each
 * may be compressed with zstd by itself.
 *
 * @throws Error if the file is damaged
 */
export async function* readPrefixed(file: string): AsyncGenerator<Uint8Array | string> {
  const prefix = (await prefixOf(file)) ?? 'four bytes'
  let rest: Uint8Array = new Uint8Array()
  let wanted = 0
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of readDecompressed(file)) {
    pieces.push(piece)
    bytes += piece.byteLength
    // Joining all pieces for every piece would take quadratic time for a long message.
    if (bytes < wanted) continue
    rest = concatBytes(pieces.splice(0))
    for (;;) {
      const header = headerOf(rest, prefix)
      wanted = header === undefined ? rest.byteLength + 1 : header.bytes + header.length
      if (header !== undefined && header.length > limits.importLineBytesMax) {
        throw new Error(`a message exceeds the limit of ${limits.importLineBytesMax / MiB} MiB, or the file is damaged`)
      }
      if (rest.byteLength < wanted) break
      yield await content(rest.subarray(header!.bytes, wanted))
      rest = rest.slice(wanted)
    }
    pieces.push(rest)
    bytes = rest.byteLength
  }
  if (bytes > 0) throw new Error('the file ends in the middle of a message')
}

async function content(message: Uint8Array): Promise<Uint8Array | string> {
  const bytes = await decompressed(message, limits.importLineBytesMax)
  return bytes[0] === '{'.charCodeAt(0) ? new TextDecoder().decode(bytes) : bytes
}

async function prefixOf(file: string): Promise<Prefix | undefined> {
  for await (const piece of readDecompressed(file)) {
    const first = piece[0]
    // No message is so long that its length begins with another byte.
    if (first === 0) return 'four bytes'
    // JSON begins with a bracket, white space or a byte order mark.
    return first !== undefined && [9, 10, 13, 32, 0x5b, 0x7b, 0xef].includes(first) ? undefined : 'varint'
  }
  return undefined
}

function headerOf(bytes: Uint8Array, prefix: Prefix): { readonly bytes: number; readonly length: number } | undefined {
  if (prefix === 'four bytes') {
    if (bytes.byteLength < 4) return undefined
    return { bytes: 4, length: new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) }
  }
  let length = 0
  for (let at = 0; at < Math.min(bytes.byteLength, 5); at++) {
    length += (bytes[at]! & 0x7f) * 2 ** (7 * at)
    if (bytes[at]! < 0x80) return { bytes: at + 1, length }
  }
  return undefined
}
