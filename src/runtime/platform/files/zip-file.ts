import { crc32, createInflateRaw, createZstdDecompress } from 'node:zlib'
import { type Entry, openPromise, type ZipFile as Yauzl } from 'yauzl'

/**
 * A ZIP archive of another program, opened for reading: stored, deflated and zstd members. Close it
 * with `using`.
 */
export class ZipFile implements Disposable {
  private readonly archive: Yauzl
  private readonly entries: ReadonlyMap<string, Entry>

  private constructor(archive: Yauzl, entries: ReadonlyMap<string, Entry>) {
    this.archive = archive
    this.entries = entries
  }

  /** @throws Error if there is no such file, or if it is no ZIP archive */
  static async open(file: string): Promise<ZipFile> {
    const archive = await openPromise(file, { autoClose: false })
    try {
      const entries = new Map<string, Entry>()
      for await (const entry of archive.eachEntry()) entries.set(entry.fileName, entry)
      return new ZipFile(archive, entries)
    } catch (cause) {
      archive.close()
      throw cause
    }
  }

  /** Names of the members, in the order of the archive. */
  get names(): readonly string[] {
    return [...this.entries.keys()]
  }

  /**
   * The bytes of a member; undefined if there is none of that name.
   *
   * @throws Error if it is damaged, exceeds `bytesMax`, is encrypted, or is compressed in another
   *   way
   */
  async read(name: string, bytesMax: number): Promise<Uint8Array | undefined> {
    const entry = this.entries.get(name)
    if (entry === undefined) return undefined
    const decoder = decoderFor(entry)
    const raw = await this.archive.openReadStreamPromise(entry, { decodeFileData: false })
    // `pipe` does not pass errors on.
    raw.on('error', (cause) => decoder?.destroy(cause))
    const source: AsyncIterable<Uint8Array> = decoder === undefined ? raw : raw.pipe(decoder)
    const pieces: Uint8Array[] = []
    let bytes = 0
    try {
      for await (const piece of source) {
        bytes += piece.byteLength
        if (bytes > bytesMax) throw new Error(`"${name}" exceeds the limit of ${bytesMax} bytes`)
        pieces.push(piece)
      }
    } finally {
      // A stream that is left open would keep the file open.
      raw.destroy()
    }
    const whole = Buffer.concat(pieces)
    if (crc32(whole) !== entry.crc32) throw new Error(`"${name}" is damaged: its checksum is wrong`)
    return whole
  }

  [Symbol.dispose](): void {
    this.archive.close()
  }
}

/** Numbers of the ZIP specification (APPNOTE 4.4.5). */
const stored = 0
const deflated = 8
const zstd = 93

function decoderFor(entry: Entry) {
  if (entry.isEncrypted()) throw new Error(`"${entry.fileName}" is encrypted`)
  if (entry.compressionMethod === stored) return undefined
  if (entry.compressionMethod === deflated) return createInflateRaw()
  if (entry.compressionMethod === zstd) return createZstdDecompress()
  throw new Error(`"${entry.fileName}" is compressed in an unsupported way (method ${entry.compressionMethod})`)
}
