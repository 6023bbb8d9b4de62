import { type FileHandle, open } from 'node:fs/promises'
import { codeOf } from './files.ts'

/** A file of which parts are read. Close it with `await using`. */
export interface ReadableFile extends AsyncDisposable {
  /** Its size. */
  bytes(): Promise<number>
  /**
   * Reads `length` bytes from `position`; fewer at the end of the file. The result starts at offset
   * 0 of its buffer, which nothing else uses if the file is there.
   */
  read(position: number, length: number): Promise<Uint8Array>
  /**
   * Brings a part of which several pieces are about to be read, if the file has to be fetched: in
   * one request, if it is not too large for one. Undefined if the file is there.
   */
  readonly bring?: ((position: number, length: number) => Promise<void>) | undefined
}

/** A file opened for reading at arbitrary positions. */
export class RandomAccessFile implements ReadableFile {
  private readonly handle: FileHandle

  private constructor(handle: FileHandle) {
    this.handle = handle
  }

  /** @returns undefined if the file does not exist */
  static async find(file: string): Promise<RandomAccessFile | undefined> {
    try {
      return new RandomAccessFile(await open(file, 'r'))
    } catch (cause) {
      if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR') return undefined
      throw cause
    }
  }

  async bytes(): Promise<number> {
    return (await this.handle.stat()).size
  }

  async read(position: number, length: number): Promise<Uint8Array> {
    // Not filled with zeros first. What is read of it is returned, and nothing else.
    const { buffer, byteOffset } = Buffer.allocUnsafeSlow(length)
    const bytes = new Uint8Array(buffer, byteOffset, length)
    let done = 0
    while (done < length) {
      const { bytesRead } = await this.handle.read(bytes, done, length - done, position + done)
      if (bytesRead === 0) return bytes.slice(0, done)
      done += bytesRead
    }
    return bytes
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.handle.close()
  }
}
