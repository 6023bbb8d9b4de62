import { appendFile, type FileHandle, open } from 'node:fs/promises'
import { syncFolder } from './durable-files.ts'
import { codeOf } from './files.ts'
import { dirName } from './paths.ts'

/** Appends text to a file, which is created if necessary. Not durable. */
export async function appendFileText(file: string, text: string): Promise<void> {
  await appendFile(file, text, { mode: 0o600 })
}

/** The lines of a text file; none if it does not exist. */
export async function* findLines(file: string): AsyncGenerator<string> {
  let handle: Awaited<ReturnType<typeof open>>
  try {
    handle = await open(file, 'r')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return
    throw cause
  }
  try {
    yield* handle.readLines()
  } finally {
    await handle.close()
  }
}

/**
 * An append-only file with one owner and no overlapping calls. Bytes of a failed append beyond the
 * last durable one are truncated before the next append.
 */
export class AppendFile {
  readonly path: string
  private readonly handle: FileHandle
  private position: number
  private isTorn = false

  private constructor(file: string, handle: FileHandle, position: number) {
    this.path = file
    this.handle = handle
    this.position = position
  }

  /**
   * Creates a file; fails if it exists. Its name is durable on return. If this fails, the file may
   * exist all the same.
   */
  static async create(file: string): Promise<AppendFile> {
    const handle = await open(file, 'wx')
    try {
      await syncFolder(dirName(file))
      return new AppendFile(file, handle, 0)
    } catch (cause) {
      await handle.close()
      throw cause
    }
  }

  get bytes(): number {
    return this.position
  }

  /**
   * Appends all of `content` and returns once it is on disk (fdatasync). If it fails, none of it
   * counts.
   *
   * @param confirm called once it is on disk; if it throws, the append fails
   */
  async appendDurably(content: readonly Uint8Array[], confirm?: () => Promise<void>): Promise<void> {
    await this.truncateTornTail()
    this.isTorn = true
    let end = this.position
    for (const piece of content) {
      for (let done = 0; done < piece.byteLength; ) {
        const { bytesWritten } = await this.handle.write(piece, done, piece.byteLength - done, end)
        done += bytesWritten
        end += bytesWritten
      }
    }
    await this.handle.datasync()
    await confirm?.()
    this.position = end
    this.isTorn = false
  }

  /**
   * Truncates what a failed append may have left. The next append does so too, but the process may
   * end before.
   */
  async truncateTornTail(): Promise<void> {
    if (!this.isTorn) return
    await this.handle.truncate(this.position)
    this.isTorn = false
  }

  async close(): Promise<void> {
    await this.handle.close()
  }
}
