import { objectLimits } from '../../lib/limits/objects.ts'
import type { ObjectInfo, ObjectStore } from '../../runtime/objects/object-store.ts'
import { findObject } from '../../runtime/objects/put-own.ts'
import { writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { readChunks } from '../../runtime/platform/files/file-chunks.ts'
import { ensureFolder, fileBytes, readBytes } from '../../runtime/platform/files/files.ts'
import { dirName, joinPath } from '../../runtime/platform/files/paths.ts'

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

  async exists(name: string): Promise<boolean> {
    return (await this.store.head(this.objectOf(name))) !== undefined
  }

  /** The bytes of an object, which need not be in the folder; undefined if there is none. */
  async find(name: string): Promise<Uint8Array | undefined> {
    return (await findObject(this.store, this.objectOf(name)))?.bytes
  }

  /** Writes an object into the folder, durably, in place of an earlier version. */
  async fetch(name: string): Promise<boolean> {
    const bytes = await this.find(name)
    if (bytes === undefined) return false
    await ensureFolder(dirName(this.pathOf(name)))
    await writeFileDurably(this.pathOf(name), bytes)
    return true
  }

  /** Stores a file of the folder, in place of an earlier version. */
  async put(name: string): Promise<void> {
    const path = this.pathOf(name)
    const bytes = await fileBytes(path)
    if (bytes <= objectLimits.partBytes) await this.store.put(this.objectOf(name), await readBytes(path))
    else await this.store.putLarge(this.objectOf(name), readChunks(path, 0, bytes))
  }

  /** Deletes the objects below a folder for which something holds. @throws ObjectStoreError */
  async removeWhere(
    below: string,
    holds: (name: string, read: () => Promise<Uint8Array>) => Promise<boolean>,
  ): Promise<void> {
    const names: string[] = []
    for await (const { name } of this.list(below))
      if (await holds(name, async () => (await this.find(name)) ?? new Uint8Array())) names.push(name)
    const failure = await this.remove(names)
    if (failure !== undefined) throw failure
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
}
