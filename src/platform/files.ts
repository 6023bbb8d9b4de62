import { constants } from 'node:fs'
import {
  access,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile as readFileWhole,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import path from 'node:path'

export const joinPath = path.join
export const dirName = path.dirname
export const absolutePath = (file: string): string => path.resolve(file)

export async function ensureFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
}

/** Names in `folder`, sorted; none where the folder is missing. */
export async function listFolder(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (cause) {
    if (isMissing(cause)) return []
    throw cause
  }
}

export async function fileExists(file: string): Promise<boolean> {
  try {
    await access(file, constants.F_OK)
    return true
  } catch (cause) {
    if (isMissing(cause)) return false
    throw cause
  }
}

export async function fileBytes(file: string): Promise<number> {
  return (await stat(file)).size
}

/** Length of `file`, or undefined where there is no such file. */
export async function findFileBytes(file: string): Promise<number | undefined> {
  try {
    return await fileBytes(file)
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw cause
  }
}

export async function readBytes(file: string): Promise<Uint8Array> {
  const { buffer, byteOffset, byteLength } = await readFileWhole(file)
  // A plain array: the `slice` of the Buffer that Node hands out shares memory instead of copying.
  return new Uint8Array(buffer, byteOffset, byteLength)
}

export async function readText(file: string): Promise<string> {
  return await readFileWhole(file, 'utf8')
}

/** Bytes of a file piece by piece; the file is removed when the last piece was taken or the reader gives up. */
export async function* readThenRemove(file: string): AsyncGenerator<Uint8Array> {
  const handle = await open(file, 'r')
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read({ buffer: new Uint8Array(pieceBytes) })
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
    await removeFile(file)
  }
}

/** The text of `file`, or undefined where there is no such file. */
export async function findText(file: string): Promise<string | undefined> {
  try {
    return await readText(file)
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw cause
  }
}

/** Removes a file; it may be missing. */
export async function removeFile(file: string): Promise<void> {
  await rm(file, { force: true })
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { force: true, recursive: true })
}

/** Makes renames and new names in `folder` durable (fsync of the directory, as POSIX requires). */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Gives a fully written and synced temporary file its final name, durably. Both lie on one file system. */
export async function publishFile(temporary: string, final: string): Promise<void> {
  await syncFile(temporary)
  await rename(temporary, final)
  await syncFolder(dirName(final))
}

/** Writes `content` so that after a crash `file` holds either its old content or the new one, whole. */
export async function writeFileDurably(
  file: string,
  content: string | Uint8Array,
  options: { mode?: number } = {},
): Promise<void> {
  const temporary = `${file}.tmp`
  const handle = await open(temporary, 'w', options.mode ?? 0o644)
  try {
    await handle.writeFile(content)
  } finally {
    await handle.close()
  }
  await publishFile(temporary, file)
}

/** When `file` was last written or touched (milliseconds), or undefined where there is no such file. */
export async function findModifiedMs(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw cause
  }
}

/** Bytes of `file` from `from` up to, not including, `to`, piece by piece. @throws Error where the file is shorter */
export async function* readPieces(file: string, from: number, to: number): AsyncGenerator<Uint8Array> {
  const handle = await open(file, 'r')
  try {
    for (let position = from; position < to; ) {
      const length = Math.min(pieceBytes, to - position)
      const { bytesRead, buffer } = await handle.read({ buffer: new Uint8Array(length), position, length })
      if (bytesRead === 0) throw new Error(`Read ${file}: it ends at ${position}, ${to} was expected`)
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

/**
 * The same bytes as a response body that the runtime itself sends, with their length in the header, where it can; else undefined. Bun
 * sends streams without a length, whatever their headers say.
 */
export const sendableFile = (file: string, from: number, to: number): Blob | undefined =>
  typeof Bun === 'undefined' ? undefined : Bun.file(file).slice(from, to)

const pieceBytes = 512 * 1024

/** Writes a new file piece by piece; it is gone again where the pieces fail. Not durable: for the temporary folder. */
export async function writePieces(file: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(file, 'wx')
  try {
    for await (const piece of pieces) await handle.writeFile(piece)
  } catch (cause) {
    await removeFile(file)
    throw cause
  } finally {
    await handle.close()
  }
}

/** A file that only grows. One owner; calls do not overlap. */
export class AppendFile {
  readonly path: string
  private readonly handle: FileHandle
  private position: number

  private constructor(file: string, handle: FileHandle, position: number) {
    this.path = file
    this.handle = handle
    this.position = position
  }

  /** Makes a new file; fails where it exists. Its name is durable when this returns. */
  static async create(file: string): Promise<AppendFile> {
    const handle = await open(file, 'wx')
    await syncFolder(dirName(file))
    return new AppendFile(file, handle, 0)
  }

  get bytes(): number {
    return this.position
  }

  /** Appends all of `content` and returns once it is on the disk (fdatasync). */
  async appendDurably(content: readonly Uint8Array[]): Promise<void> {
    let end = this.position
    for (const piece of content) {
      for (let done = 0; done < piece.byteLength; ) {
        const { bytesWritten } = await this.handle.write(piece, done, piece.byteLength - done, end)
        done += bytesWritten
        end += bytesWritten
      }
    }
    await this.handle.datasync()
    this.position = end
  }

  /** Cuts off what a failed append may have left behind the last durable byte. */
  async discardTornAppend(): Promise<void> {
    await this.handle.truncate(this.position)
  }

  async close(): Promise<void> {
    await this.handle.close()
  }
}

/** Cuts `file` to its first `bytes` bytes, durably. */
export async function truncateFile(file: string, bytes: number): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.truncate(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')
}
