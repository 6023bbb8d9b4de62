import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

/** Formats that are compressed already. */
const compressed = /\.(?:woff2|png|webp|avif|jpe?g)$/

/** Puts `.br` and `.gz` beside every file of `folder` that they make smaller. */
export async function compressFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (compressed.test(name)) continue
    const file = path.join(folder, name)
    const bytes = await Bun.file(file).bytes()
    const versions = {
      br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength } }),
      // Smaller than by zlib, by 4 %.
      gz: Bun.gzipSync(bytes, { level: 12, library: 'libdeflate' }),
    }
    for (const [ending, smaller] of Object.entries(versions)) {
      if (smaller.byteLength < bytes.byteLength) await Bun.write(`${file}.${ending}`, smaller)
    }
  }
}
