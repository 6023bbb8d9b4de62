import { promisify } from 'node:util'
import { constants, zstdDecompress, zstdDecompressSync } from 'node:zlib'

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
