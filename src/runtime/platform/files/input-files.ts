import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { createGunzip, createZstdDecompress } from 'node:zlib'

/** A file that a user names as input. */
export interface InputFile {
  readonly path: string
  /** Relative to the folder that the user named; the file's own name if the user named the file. */
  readonly name: string
  readonly bytes: number
  readonly modifiedMs: number
}

/**
 * The file at `place`, or all files in the folder `place` and below whose name `isWanted`, in order
 * of their names.
 *
 * @throws Error if there is nothing at `place`
 */
export async function* listInputFiles(place: string, isWanted: (name: string) => boolean): AsyncGenerator<InputFile> {
  const found = await stat(place)
  if (!found.isDirectory()) {
    yield { path: place, name: path.basename(place), bytes: found.size, modifiedMs: found.mtimeMs }
    return
  }
  yield* listFolder(place, '', isWanted)
}

async function* listFolder(
  folder: string,
  prefix: string,
  isWanted: (name: string) => boolean,
): AsyncGenerator<InputFile> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.join(folder, entry.name)
    const name = prefix + entry.name
    if (entry.isDirectory()) yield* listFolder(file, `${name}/`, isWanted)
    else if (entry.isFile() && isWanted(entry.name)) {
      const { size, mtimeMs } = await stat(file)
      yield { path: file, name, bytes: size, modifiedMs: mtimeMs }
    }
  }
}

/** The bytes of a file, decompressed if it begins like a gzip or zstd file. */
export async function* readDecompressed(file: string): AsyncGenerator<Uint8Array> {
  const source = createReadStream(file, { highWaterMark: 256 * 1024 })
  const decoder = decoderFor(await firstBytes(file))
  try {
    if (decoder === undefined) return yield* source
    // `pipe` does not pass errors on.
    source.on('error', (error) => decoder.destroy(error))
    yield* source.pipe(decoder)
  } finally {
    source.destroy()
    decoder?.destroy()
  }
}

/**
 * Bytes in memory, decompressed if they begin like gzip or zstd data. @throws Error if they are
 * damaged
 */
export async function decompressed(bytes: Uint8Array, bytesMax: number): Promise<Uint8Array> {
  const decoder = decoderFor(bytes)
  if (decoder === undefined) return bytes
  decoder.end(bytes)
  const pieces: Uint8Array[] = []
  let size = 0
  const decoded: AsyncIterable<Uint8Array> = decoder
  for await (const piece of decoded) {
    pieces.push(piece)
    size += piece.byteLength
    if (size > bytesMax) throw new Error(`a compressed message exceeds ${bytesMax} bytes`)
  }
  return Buffer.concat(pieces)
}

function decoderFor([first, second, third, fourth]: Uint8Array) {
  if (first === 0x1f && second === 0x8b) return createGunzip()
  if (first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd) return createZstdDecompress()
  return undefined
}

async function firstBytes(file: string): Promise<Uint8Array> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: new Uint8Array(4), position: 0, length: 4 })
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
