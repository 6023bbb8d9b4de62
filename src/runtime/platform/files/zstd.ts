import { promisify } from 'node:util'
import { constants, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib'

const inThread: (bytes: Uint8Array, options: object) => Promise<Uint8Array> = promisify(zstdDecompress)

/** Fewer compressed bytes are decompressed at once: handing them to a thread would take longer. */
const inThreadMin = 32 * 1024

const unitBytes = 64 * 1024
/** Limits the memory allocated for a damaged size. Larger contents are assembled from pieces. */
const chunkBytesMax = 64 * 1024 * 1024

/**
 * The content of a zstd frame. If `bytes` are only its beginning, the beginning of the content.
 *
 * @param contentBytes size of the content, or roughly that of the wanted part
 * @throws Error if the frame is damaged
 */
export async function decompressZstd(bytes: Uint8Array, contentBytes: number): Promise<Uint8Array> {
  // The bytes may end within the frame: not an error here. Whole units of memory are reused.
  const chunkSize = Math.ceil(Math.min(Math.max(1, contentBytes), chunkBytesMax) / unitBytes) * unitBytes
  const options = { chunkSize, finishFlush: constants.ZSTD_e_continue }
  return bytes.byteLength < inThreadMin ? zstdDecompressSync(bytes, options) : await inThread(bytes, options)
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
