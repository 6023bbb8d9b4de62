import { closeSync, openSync, readSync } from 'node:fs'

/**
 * A local file of which parts are read without giving way to other work: a part that the operating
 * system has in memory takes 2 µs, and many times that as a promise. The first read opens it.
 */
export class FileReadNow implements Disposable {
  private readonly path: string
  private file: number | undefined

  constructor(path: string) {
    this.path = path
  }

  /** @returns whether all of `into` was read; false also if there is no such file */
  read(into: Uint8Array, position: number): boolean {
    try {
      this.file ??= openSync(this.path, 'r')
      return readSync(this.file, into, 0, into.byteLength, position) === into.byteLength
    } catch {
      return false
    }
  }

  [Symbol.dispose](): void {
    if (this.file !== undefined) closeSync(this.file)
  }
}
