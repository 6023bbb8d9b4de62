import { type FileHandle, open } from 'node:fs/promises'
import { syncFolder } from './durable-files.ts'
import { dirName } from './paths.ts'

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
