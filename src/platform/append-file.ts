import { type FileHandle, open } from 'node:fs/promises'
import { syncFolder } from './durable-files.ts'
import { dirName } from './paths.ts'

/**
 * A file that only grows. One owner; calls do not overlap. What an append that failed may have left behind the last durable byte is cut off before the
 * next one.
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

  /** Makes a new file; fails where it exists. Its name is durable when this returns; where this fails, it may be there all the same. */
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
   * Appends all of `content` and returns once it is on the disk (fdatasync). Where it fails, nothing of it counts.
   *
   * @param confirm asked once it is on the disk; where it throws, that counts as a failure
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

  /** Cuts off what a failed append may have left. The next append does so too; sooner is better where the process may end before. */
  async truncateTornTail(): Promise<void> {
    if (!this.isTorn) return
    await this.handle.truncate(this.position)
    this.isTorn = false
  }

  async close(): Promise<void> {
    await this.handle.close()
  }
}
