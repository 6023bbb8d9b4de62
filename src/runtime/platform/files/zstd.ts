import { promisify } from 'node:util'
import { constants, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib'

const inThread: (bytes: Uint8Array, options: object) => Promise<Uint8Array> = promisify(zstdDecompress)

/** Fewer compressed bytes are decompressed at once: handing them to a thread would take longer. */
const inThreadMin = 32 * 1024

const unitBytes = 64 * 1024
/** Limits the memory allocated for a damaged size. Larger contents are assembled from pieces. */
const chunkBytesMax = 64 * 1024 * 1024

/**
 * The content of a zstd frame. If `bytes` are only its beginning, the beginning of the content,
 * unless all of it was asked for.
 *
 * @param contentBytes size of the content, or roughly that of the wanted part
 * @throws Error if the frame is damaged
 */
export async function decompressZstd(bytes: Uint8Array, contentBytes: number): Promise<Uint8Array> {
  // For the whole content of a small frame, Bun's own function takes a fraction of the time.
  if (bytes.byteLength < inThreadMin && declaredBytes(bytes) === contentBytes)
    return decompressZstdAtOnce(bytes, contentBytes)
  // The bytes may end within the frame: not an error here. Whole units of memory are reused.
  const chunkSize = Math.ceil(Math.min(Math.max(1, contentBytes), chunkBytesMax) / unitBytes) * unitBytes
  const options = { chunkSize, finishFlush: constants.ZSTD_e_continue }
  return bytes.byteLength < inThreadMin ? zstdDecompressSync(bytes, options) : await inThread(bytes, options)
}

/**
 * The size of the content that the header of a zstd frame states; undefined if it states none, or
 * 4 GiB and more. See section 3.1.1.1 of RFC 8878.
 */
function declaredBytes(frame: Uint8Array): number | undefined {
  const descriptor = frame[4] ?? 0
  const isSingleSegment = (descriptor & 0x20) !== 0
  const dictionaryBytes = (1 << (descriptor & 3)) >>> 1
  const at = 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes
  const sizeBytes = descriptor >>> 6 === 0 ? Number(isSingleSegment) : 1 << (descriptor >>> 6)
  if (sizeBytes === 0 || sizeBytes > 4 || at + sizeBytes > frame.byteLength) return undefined
  const size = Buffer.from(frame.buffer, frame.byteOffset + at, sizeBytes).readUIntLE(0, sizeBytes)
  return sizeBytes === 2 ? size + 256 : size
}

/**
 * Frees the memory of what `decompressZstd` has returned, which must not be used any more. It has a
 * buffer of its own, and there may be many before the garbage collector sees to them.
 */
export function releaseContent({ buffer }: Uint8Array): void {
  // Anything smaller could come from memory that Node's buffers share.
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= unitBytes) buffer.transfer(0)
}

const level = 1
const levelOptions = { params: { [constants.ZSTD_c_compressionLevel]: level } }

/**
 * A zstd frame of the lowest level. Bun's own function keeps its state; the other takes 10 µs more.
 */
export const compressZstd = (bytes: Uint8Array): Uint8Array =>
  typeof Bun === 'undefined' ? zstdCompressSync(bytes, levelOptions) : Bun.zstdCompressSync(view(bytes), { level })

/** The content of a whole zstd frame. @throws Error if it is damaged, or has another size */
export function decompressZstdAtOnce(bytes: Uint8Array, contentBytes: number): Uint8Array {
  const content = typeof Bun === 'undefined' ? zstdDecompressSync(bytes) : Bun.zstdDecompressSync(view(bytes))
  if (content.byteLength !== contentBytes)
    throw new Error(`Cannot decompress: the content has ${content.byteLength} bytes instead of ${contentBytes}`)
  return content
}

/** The same memory, as Bun's types want it. */
const view = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength)
