import { lakeLimits, objectLimits } from '../../lib/limits/objects.ts'
import { orAborted } from '../../lib/or-aborted.ts'
import type { SizedObject } from '../../runtime/objects/download.ts'
import type { ObjectStore } from '../../runtime/objects/object-store.ts'
import { inTime, unavailableIfFailed } from '../../runtime/objects/store-failures.ts'
import { fileExists, removeFile } from '../../runtime/platform/files/files.ts'
import { RandomAccessFile, type ReadableFile } from '../../runtime/platform/files/random-access-file.ts'
import { refuseToWait } from '../../runtime/platform/without-waiting.ts'
import { LastUsed } from '../last-used.ts'
import { tablesFolder } from '../layout.ts'
import type { FilterInMemory, StoredFiles } from '../stored-files.ts'
import type { FileCache } from './cache/file-cache.ts'

/**
 * The data files and indexes of a lake, and the cache that they are read from. An object has the
 * path of its file below the data folder as its name. Files that the store does not have, such as
 * those that are being written, are read where they are. See
 * docs/decisions/280-files-of-a-lake-by-need.md.
 */
export class LakeFiles implements StoredFiles {
  readonly filters = new LastUsed<FilterInMemory>(lakeLimits.filterBytesMax)
  /** How all paths of its files begin. */
  readonly folder: string
  readonly cache: FileCache
  private readonly store: ObjectStore
  /** Sizes of objects by name, of all data files and of indexes as far as these are listed. */
  private readonly sizes = new Map<string, number>()
  /** By folder. */
  private readonly listings = new Map<string, Promise<void>>()

  constructor({ store, folder, cache }: { store: ObjectStore; folder: string; cache: FileCache }) {
    this.store = store
    this.folder = tablesFolder(folder).slice(0, -'tables'.length)
    this.cache = cache
  }

  /** Takes note of a data file that the store has. */
  note(path: string, bytes: number): void {
    this.sizes.set(this.nameOf(path), bytes)
  }

  /** The same for one that was written here, which becomes part of the cache. */
  async keep(path: string, bytes: number): Promise<void> {
    const name = this.nameOf(path)
    const before = this.sizes.get(name)
    // An index that has been written again.
    this.filters.delete(path)
    if (before !== undefined) await this.cache.forgetParts({ name, bytes: before })
    this.sizes.set(name, bytes)
    await this.cache.put(name)
  }

  /** Forgets a file that the store no longer has. */
  async forget(path: string): Promise<void> {
    const name = this.nameOf(path)
    const bytes = this.sizes.get(name)
    this.sizes.delete(name)
    this.filters.delete(path)
    if (bytes !== undefined) await this.cache.forget(name, bytes)
  }

  /** Whether the store has a data file. */
  has(path: string): boolean {
    return this.sizes.has(this.nameOf(path))
  }

  /** Whether the cache has a whole file. */
  isCached(path: string): boolean {
    return this.cache.has(this.nameOf(path))
  }

  /** Removes a file from the folder, and from the cache. */
  async removeCopy(path: string): Promise<void> {
    await this.cache.forget(this.nameOf(path), 0)
    await removeFile(path)
  }

  isAtHand(path: string): boolean {
    const name = this.nameOf(path)
    if (this.sizes.has(name)) return this.cache.has(name)
    // What is not in the store can only be here; but indexes may not have been listed yet.
    return !isIndex(name) || this.listed.has(folderOf(name))
  }

  async exists(path: string): Promise<boolean> {
    return (await this.locate(path)) !== undefined || (await fileExists(path))
  }

  async open(path: string): Promise<ReadableFile | undefined> {
    const object = await soon(() => this.locate(path))
    if (object === undefined) return await RandomAccessFile.find(path)
    const file = await unavailableIfFailed(() => this.cache.open(object))
    return {
      bytes: () => file.bytes(),
      read: (position, length) => soon(() => file.read(position, length)),
      bring: file.bring && ((position, length) => soon(async () => file.bring?.(position, length))),
      [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
    }
  }

  async hold(paths: readonly string[], signal?: AbortSignal): Promise<Disposable> {
    const located = await soon(() => Promise.all(paths.map((path) => this.locate(path))))
    const objects = located.filter((object) => object !== undefined)
    return await inTime(signal, () => this.cache.hold(objects, signal))
  }

  async discardCopy(path: string): Promise<boolean> {
    const object = await this.locate(path)
    return object !== undefined && (await this.cache.recheck(object.name))
  }

  async fetchSmall(path: string): Promise<void> {
    const object = await soon(() => this.locate(path))
    if (object === undefined || object.bytes > objectLimits.partBytes) return
    await soon(() => this.cache.ensure(object.name, object.bytes))
  }

  /** Lists the indexes of a table, once. */
  async listIndexes(path: string): Promise<void> {
    const folder = folderOf(this.nameOf(path))
    if (this.listed.has(folder)) return
    refuseToWait()
    const listing = this.listings.get(folder) ?? this.list(folder)
    this.listings.set(folder, listing)
    try {
      await listing
    } catch (cause) {
      this.listings.delete(folder)
      throw cause
    }
  }

  /** Asks for the size of an index: of the first ones of a table by themselves. */
  private async findSize(path: string): Promise<void> {
    const name = this.nameOf(path)
    const folder = folderOf(name)
    if (this.listed.has(folder)) return
    const asked = this.askedFor.get(folder) ?? 0
    if (asked >= lakeLimits.sizesAskedMax) {
      await this.listIndexes(path)
      return
    }
    refuseToWait()
    this.askedFor.set(folder, asked + 1)
    const found = await this.store.head(name)
    if (found !== undefined && !this.sizes.has(name)) this.sizes.set(name, found.bytes)
  }

  private readonly listed = new Set<string>()
  /** How many indexes of a folder have been asked for by themselves. */
  private readonly askedFor = new Map<string, number>()

  private async list(folder: string): Promise<void> {
    for await (const { name, bytes } of this.store.list(`${folder}/`))
      if (!this.sizes.has(name)) this.sizes.set(name, bytes)
    this.listed.add(folder)
  }

  private async locate(path: string): Promise<SizedObject | undefined> {
    if (!path.startsWith(this.folder)) return undefined
    const name = this.nameOf(path)
    if (!this.sizes.has(name) && isIndex(name)) await this.findSize(path)
    const bytes = this.sizes.get(name)
    return bytes === undefined ? undefined : { name, bytes }
  }

  private nameOf(path: string): string {
    return path.slice(this.folder.length)
  }
}

/**
 * Work that takes a request or two.
 *
 * @throws DomainError StoreUnavailable if it fails or takes long
 */
function soon<T>(work: () => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(lakeLimits.partMsMax)
  return inTime(signal, () => orAborted(work(), signal))
}

const isIndex = (name: string): boolean => name.endsWith('.index')
const folderOf = (name: string): string => name.slice(0, name.lastIndexOf('/'))
