import { copyIntoFile, writeAtEnd } from '../../runtime/platform/files/copy-into-file.ts'
import { removeFile } from '../../runtime/platform/files/files.ts'
import { RandomAccessFile } from '../../runtime/platform/files/random-access-file.ts'
import { type JoinedMetadata, joinMetadata } from './join-metadata.ts'

const tailBytes = 8
/** The magic number at the beginning. */
const headBytes = 4
const magic = new TextEncoder().encode('PAR1')

/**
 * A Parquet file to which the row groups of others are added, without decoding them. It is not a
 * Parquet file again until `finish`.
 */
export class JoinedFile {
  private readonly file: string
  private readonly parts: JoinedMetadata[] = []
  /** Where the row groups so far end. */
  private end = 0

  private constructor(file: string) {
    this.file = file
  }

  /** @throws Error if `file` is no Parquet file */
  static async begin(file: string): Promise<JoinedFile> {
    const joined = new JoinedFile(file)
    const { metadata, dataBytes } = await readMetadata(file)
    joined.parts.push({ bytes: metadata, shift: 0 })
    joined.end = dataBytes
    return joined
  }

  /** Adds the row groups of a file with the same columns, and removes it. */
  async take(part: string): Promise<void> {
    const { metadata, dataBytes } = await readMetadata(part)
    this.parts.push({ bytes: metadata, shift: this.end - headBytes })
    await copyIntoFile(part, { from: headBytes, to: dataBytes }, this.file, this.end)
    this.end += dataBytes - headBytes
    await removeFile(part)
  }

  async finish(): Promise<void> {
    const metadata = joinMetadata(this.parts)
    const length = new Uint8Array(4)
    new DataView(length.buffer).setUint32(0, metadata.byteLength, true)
    await writeAtEnd(this.file, this.end, [metadata, length, magic])
  }
}

/** The metadata of a Parquet file, and the number of bytes before it. */
async function readMetadata(path: string): Promise<{ metadata: Uint8Array; dataBytes: number }> {
  await using file = await RandomAccessFile.find(path)
  const end = ((await file?.bytes()) ?? 0) - tailBytes
  if (file === undefined || end < headBytes) throw new Error(`Join Parquet files: ${path} is cut off`)
  const tail = await file.read(end, tailBytes)
  const dataBytes = end - new DataView(tail.buffer).getUint32(0, true)
  if (dataBytes < headBytes) throw new Error(`Join Parquet files: the footer of ${path} is cut off`)
  return { metadata: await file.read(dataBytes, end - dataBytes), dataBytes }
}
