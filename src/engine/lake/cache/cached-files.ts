import type { FileContent } from './cache-journal.ts'

export interface CachedFile extends FileContent {
  /** Whether this process has written or read all of it, and found it sound. */
  isProven: boolean
}

/** Which files a cache has, in the order of their last use, and which of them are in use. */
export class CachedFiles {
  private readonly files = new Map<string, CachedFile>()
  /** The keys of files that may be removed, least recently used first. */
  private readonly idle = new Set<string>()
  private readonly pins = new Map<string, number>()
  /** Size of all files. */
  bytes = 0

  /** Size of the files that are in use. */
  get pinnedBytes(): number {
    return this.pins.keys().reduce((sum, key) => sum + (this.files.get(key)?.bytes ?? 0), 0)
  }

  get count(): number {
    return this.files.size
  }

  find(key: string): CachedFile | undefined {
    return this.files.get(key)
  }

  set(key: string, file: CachedFile): void {
    this.delete(key)
    this.files.set(key, file)
    this.bytes += file.bytes
    if (!this.pins.has(key)) this.idle.add(key)
  }

  delete(key: string): void {
    this.bytes -= this.files.get(key)?.bytes ?? 0
    this.files.delete(key)
    this.idle.delete(key)
  }

  /** Marks a file as the most recently used. */
  touch(key: string): void {
    if (this.idle.delete(key)) this.idle.add(key)
  }

  /** A file stays as long as it has a pin, which it may have before it is there. */
  pin(key: string): void {
    this.pins.set(key, (this.pins.get(key) ?? 0) + 1)
    this.idle.delete(key)
  }

  /** @throws Error if it has no pin */
  unpin(key: string): void {
    const left = (this.pins.get(key) ?? 0) - 1
    if (left < 0) throw new Error(`Cannot unpin ${key}: it is not pinned`)
    if (left > 0) this.pins.set(key, left)
    else {
      this.pins.delete(key)
      if (this.files.has(key)) this.idle.add(key)
    }
  }

  isIdle(key: string): boolean {
    return this.idle.has(key)
  }

  /** The file that may be removed and was used longest ago. */
  oldestIdle(): string | undefined {
    return this.idle.values().next().value
  }

  /** All files: those in use last. */
  *inOrder(): Generator<readonly [string, CachedFile]> {
    for (const key of this.idle) {
      const file = this.files.get(key)
      if (file !== undefined) yield [key, file]
    }
    for (const [key, file] of this.files) if (!this.idle.has(key)) yield [key, file]
  }
}
