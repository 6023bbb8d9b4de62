import { MiB } from '../../lib/bytes.ts'
import type { ObjectInfo, ObjectStore } from '../../runtime/objects/object-store.ts'
import { findObject } from '../../runtime/objects/put-own.ts'
import { ensureFolderDurably, publishFile, writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { readChunks, writeChunks } from '../../runtime/platform/files/file-chunks.ts'
import { fileBytes, findFileBytes, readBytes, removeFile } from '../../runtime/platform/files/files.ts'
import { dirName, joinPath } from '../../runtime/platform/files/paths.ts'

/** Larger files are fetched, and sent, in pieces of this size. */
const pieceBytes = 8 * MiB

const fetching = '.fetching.tmp'

/** Whether it is the name of a file that is being fetched. */
export const isFetching = (name: string): boolean => name.endsWith(fetching)

/** Files of a folder that are objects of a store, under the same names below a prefix. */
export class CachedFolder {
  private readonly store: ObjectStore
  private readonly prefix: string
  private readonly folder: string
  /** Objects to be deleted whose deletion failed. */
  private readonly obsolete = new Set<string>()

  /** @param options.prefix of the names, with a `/` at the end */
  constructor(options: { readonly store: ObjectStore; readonly prefix: string; readonly folder: string }) {
    this.store = options.store
    this.prefix = options.prefix
    this.folder = options.folder
  }

  pathOf(name: string): string {
    return joinPath(this.folder, name)
  }

  objectOf(name: string): string {
    return this.prefix + name
  }

  /**
   * The objects below a folder, in order of their names.
   *
   * @param after only those after this name
   */
  async *list(below: string, after?: string): AsyncGenerator<Omit<ObjectInfo, 'tag'>> {
    const options = after === undefined ? {} : { after: this.objectOf(after) }
    for await (const { name, bytes, modifiedMs } of this.store.list(this.objectOf(below), options))
      yield { name: name.slice(this.prefix.length), bytes, modifiedMs }
  }

  /** The bytes of an object, which need not be in the folder; undefined if there is none. */
  async find(name: string): Promise<Uint8Array | undefined> {
    return (await findObject(this.store, this.objectOf(name)))?.bytes
  }

  /** Writes an object into the folder, durably, in place of an earlier version. */
  async fetch(name: string): Promise<boolean> {
    const bytes = await this.find(name)
    if (bytes === undefined) return false
    await ensureFolderDurably(dirName(this.pathOf(name)))
    await writeFileDurably(this.pathOf(name), bytes)
    return true
  }

  /**
   * Brings an immutable object into the folder, unless it is there.
   *
   * @throws ObjectStoreError absent
   */
  async ensure(name: string, bytes: number): Promise<void> {
    const path = this.pathOf(name)
    if ((await findFileBytes(path)) === bytes) return
    await ensureFolderDurably(dirName(path))
    const temporary = path + fetching
    await removeFile(temporary)
    await writeChunks(temporary, this.pieces(name, bytes))
    await publishFile(temporary, path)
  }

  /** Stores a file of the folder, in place of an earlier version. */
  async put(name: string): Promise<void> {
    const path = this.pathOf(name)
    const bytes = await fileBytes(path)
    if (bytes <= pieceBytes) await this.store.put(this.objectOf(name), await readBytes(path))
    else await this.store.putLarge(this.objectOf(name), readChunks(path, 0, bytes))
  }

  /** Deletes objects. What cannot be deleted now is deleted together with the next ones. */
  async remove(names: readonly string[]): Promise<unknown> {
    for (const name of names) this.obsolete.add(name)
    for (const name of [...this.obsolete]) {
      try {
        await this.store.delete(this.objectOf(name))
      } catch (cause) {
        return cause
      }
      this.obsolete.delete(name)
    }
    return undefined
  }

  private async *pieces(name: string, bytes: number): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < bytes; start += pieceBytes) {
      const range = { start, length: Math.min(pieceBytes, bytes - start) }
      const piece = (await this.store.get(this.objectOf(name), { range })).bytes
      if (piece.length !== range.length)
        throw new Error(`Cannot read ${this.store.place}/${this.objectOf(name)}: it is shorter than its table says`)
      yield piece
    }
  }
}
