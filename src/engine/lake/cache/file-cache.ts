import { forEachConcurrent, Gate } from '../../../lib/concurrency.ts'
import { cacheLimits, objectLimits } from '../../../lib/limits/objects.ts'
import { orAborted } from '../../../lib/or-aborted.ts'
import { Downloads, type SizedObject } from '../../../runtime/objects/download.ts'
import { assertObjectName, type ByteRange, type ObjectStore } from '../../../runtime/objects/object-store.ts'
import { fileBytes, findFileBytes, renameFile } from '../../../runtime/platform/files/files.ts'
import { RandomAccessFile, type ReadableFile } from '../../../runtime/platform/files/random-access-file.ts'
import { refuseToWait } from '../../../runtime/platform/without-waiting.ts'
import { CacheFolder, checksumOf } from './cache-folder.ts'
import { CachedBlocks } from './cached-blocks.ts'

export interface FileCacheOptions {
  readonly store: ObjectStore
  /** Used by one process at a time. The cache keeps files of its own below `.cache/`. */
  readonly folder: string
  readonly bytesMax: number
  /** Folders in it that belong to the cache: it removes unknown files of them when it is opened. */
  readonly owns?: readonly string[]
}

export interface CacheCounts {
  /** Size of the files that are there; may be above the bound while all of them are in use. */
  readonly bytes: number
  readonly files: number
  readonly bytesMax: number
  /** Size of the files that are in use, and therefore stay. */
  readonly pinnedBytes: number
  /** Questions for a file, or a part of one, that were answered without the store. */
  readonly hits: number
  readonly misses: number
  readonly evictions: number
  readonly fetchedBytes: number
  /** Those of them that were fetched before somebody asked. */
  readonly prefetchedBytes: number
  /** Files that were damaged, and therefore removed. */
  readonly damaged: number
}

/**
 * Copies of immutable objects in a local folder, under the names of the objects, up to a number of
 * bytes; those used longest ago go first. The folder may be lost at any time, and anything may
 * happen to its files while no process has it open: before a file is used for the first time, all
 * of it is read and compared with the checksum that it had; its size is looked at with every use.
 * See docs/decisions/291-a-cache-of-objects.md.
 */
export class FileCache implements AsyncDisposable {
  private readonly folder: CacheFolder
  private readonly downloads: Downloads
  private readonly blocks: CachedBlocks
  private readonly closing = new AbortController()
  /** Files that are being checked or fetched. */
  private readonly arriving = new Map<string, Promise<string>>()
  /** Bytes of files that are being fetched; a few pieces of each are in memory. */
  private readonly fetching = new Gate({ max: cacheLimits.fetchedBytesAtOnce, waitingMax: Number.POSITIVE_INFINITY })
  private hits = 0
  private misses = 0

  private constructor(store: ObjectStore, folder: CacheFolder) {
    this.folder = folder
    this.downloads = new Downloads(store)
    this.blocks = new CachedBlocks(store, folder, this.closing.signal)
  }

  /** Opens the cache with what its folder has from before. */
  static async open({ store, folder, bytesMax, owns = [] }: FileCacheOptions): Promise<FileCache> {
    return new FileCache(store, await CacheFolder.open(folder, bytesMax, owns))
  }

  get counts(): CacheCounts {
    const { files, bytesMax, evictions, fetchedBytes, prefetchedBytes, damaged } = this.folder
    const { bytes, count, pinnedBytes } = files
    const reads = { hits: this.hits + this.blocks.hits, misses: this.misses + this.blocks.misses }
    return { bytes, files: count, bytesMax, pinnedBytes, ...reads, evictions, fetchedBytes, prefetchedBytes, damaged }
  }

  /**
   * Keeps a file from being removed until `unpin`, even one that is yet to come: pin it, ensure it,
   * read it, unpin it. Pins are counted.
   */
  pin(name: string): void {
    this.folder.files.pin(name)
  }

  unpin(name: string): void {
    this.folder.unpin(name)
  }

  /**
   * The path of a file. Fetches it unless it is there, once for all who ask at the same time.
   *
   * @throws ObjectStoreError if it cannot be fetched
   */
  async ensure(name: string, bytes: number): Promise<string> {
    assertObjectName(name)
    const known = this.folder.files.find(name)
    if (known?.isProven === true && known.bytes === bytes) {
      this.folder.files.touch(name)
      const path = this.folder.pathOf(name)
      if ((await findFileBytes(path)) === bytes) {
        this.hits++
        return path
      }
    }
    return await this.provided({ name, bytes })
  }

  /**
   * Brings files that are not there, and keeps all of them until the result is disposed of.
   *
   * @param signal ends the wait; what is being fetched still arrives
   * @throws the reason of the signal; ObjectStoreError if one cannot be fetched
   */
  async hold(objects: readonly SizedObject[], signal?: AbortSignal): Promise<Disposable> {
    for (const { name } of objects) this.pin(name)
    let isHeld = true
    const release = () => {
      if (isHeld) for (const { name } of objects) this.unpin(name)
      isHeld = false
    }
    try {
      await orAborted(
        forEachConcurrent(objects, cacheLimits.heldAtOnce, async ({ name, bytes }) => {
          signal?.throwIfAborted()
          await this.ensure(name, bytes)
        }),
        signal,
      )
    } catch (cause) {
      release()
      throw cause
    }
    return { [Symbol.dispose]: release }
  }

  /**
   * Opens a file to read parts of it: the whole one if that is there, or else what `read` brings.
   *
   * @throws ObjectStoreError if it cannot be fetched
   */
  async open(object: SizedObject): Promise<ReadableFile> {
    const { name, bytes } = object
    if (this.has(name)) {
      this.pin(name)
      try {
        // Once open, it can be read to the end, even if it is removed.
        const file = await RandomAccessFile.find(await this.ensure(name, bytes))
        if (file !== undefined) return file
      } finally {
        this.unpin(name)
      }
    }
    return {
      bytes: async () => bytes,
      read: (start, length) => this.readPart(object, { start, length }),
      bring: async (start, length) => {
        if (!this.has(name)) await this.blocks.bring(object, Math.max(0, start), Math.min(bytes, start + length))
      },
      [Symbol.asyncDispose]: async () => {},
    }
  }

  /** Whether the whole file is there. */
  has(name: string): boolean {
    return this.folder.files.find(name) !== undefined
  }

  /**
   * A part of a file, which may reach beyond the end. If the file is not there, only the blocks
   * with this part are fetched; they are kept like files.
   *
   * @throws ObjectStoreError if they cannot be fetched
   */
  async read(name: string, bytes: number, range: ByteRange): Promise<Uint8Array> {
    return await this.readPart({ name, bytes }, range)
  }

  /** The result has a buffer of its own: callers may keep it for long. */
  private async readPart(object: SizedObject, { start, length }: ByteRange): Promise<Uint8Array> {
    const { name, bytes } = object
    assertObjectName(name)
    const end = Math.min(bytes, start + length)
    if (end <= start) return new Uint8Array()
    if (this.folder.files.find(name) === undefined) return await this.partOf(object, start, end)
    this.pin(name)
    try {
      await using file = await RandomAccessFile.find(await this.ensure(name, bytes))
      const found = await file?.read(start, end - start)
      return found?.length === end - start ? found : await this.partOf(object, start, end)
    } finally {
      this.unpin(name)
    }
  }

  private async partOf(object: SizedObject, start: number, end: number): Promise<Uint8Array> {
    const part = await this.blocks.read(object, start, end)
    return part.buffer.byteLength === part.byteLength ? part : part.slice()
  }

  /**
   * Takes over a file that was written in the folder, under its name. It needs a pin until the
   * store has it.
   */
  async put(name: string): Promise<void> {
    assertObjectName(name)
    const path = this.folder.pathOf(name)
    const bytes = await findFileBytes(path)
    if (bytes === undefined) throw new Error(`Cannot add ${path} to the cache: there is no such file`)
    await this.folder.adopt(name, bytes)
  }

  /** Moves a local file with the content of a stored object into the cache. */
  async take(file: string, name: string): Promise<void> {
    assertObjectName(name)
    const bytes = await fileBytes(file)
    await this.folder.arrive(name, bytes, async (temporary) => {
      await renameFile(file, temporary)
      return await checksumOf(temporary, bytes)
    })
  }

  /**
   * For a file in which a reader has found damage: removes it if it is not what it was, so that it
   * is fetched when it is needed next.
   *
   * @returns whether it was removed
   */
  async recheck(name: string): Promise<boolean> {
    const known = this.folder.files.find(name)
    if (known === undefined || (await this.folder.isSound(name, known))) return false
    await this.folder.removeDamaged(name)
    return true
  }

  /** Removes a file that the lake no longer has, with its blocks. Those that are pinned stay. */
  async forget(name: string, bytes: number): Promise<void> {
    if (this.folder.files.isIdle(name)) await this.folder.remove(name)
    await this.forgetParts({ name, bytes })
  }

  /** Removes the parts of a file that was written again. */
  async forgetParts(object: SizedObject): Promise<void> {
    for (const key of this.blocks.keysOf(object)) if (this.folder.files.isIdle(key)) await this.folder.remove(key)
  }

  /** Aborts what is being fetched, and notes what was used last. */
  async close(): Promise<void> {
    this.closing.abort()
    await Promise.allSettled([...this.arriving.values(), this.blocks.settled()])
    await this.folder.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  private async provided(object: SizedObject): Promise<string> {
    refuseToWait()
    const already = this.arriving.get(object.name)
    if (already !== undefined) return await already
    this.pin(object.name)
    const provided = this.provide(object).finally(() => {
      this.arriving.delete(object.name)
      // It stays even if there is no room for it: the caller is about to use it.
      this.folder.files.unpin(object.name)
    })
    this.arriving.set(object.name, provided)
    return await provided
  }

  private async provide(object: SizedObject): Promise<string> {
    const { name, bytes } = object
    const known = this.folder.files.find(name)
    if (known?.bytes === bytes && (await this.folder.isSound(name, known))) {
      known.isProven = true
      this.hits++
      return this.folder.pathOf(name)
    }
    if (known !== undefined) await this.folder.removeDamaged(name)
    this.misses++
    const { signal } = this.closing
    const bytesAtOnce = Math.max(
      objectLimits.partBytes,
      Math.min(bytes, cacheLimits.piecesAtOnce * objectLimits.partBytes),
    )
    await this.fetching.run(bytesAtOnce, signal, () =>
      this.folder.arrive(name, bytes, async (file) => (await this.downloads.fetch(object, file, { signal })).checksum),
    )
    return this.folder.pathOf(name)
  }
}
