import { BoundedMap } from '../../lib/bounded-map.ts'
import { blobLimits, objectLimits } from '../../lib/limits/objects.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { isObjectError, type ObjectStore, ObjectStoreError } from '../../runtime/objects/object-store.ts'
import { isSameContent } from '../../runtime/objects/same-content.ts'
import { unavailableIfFailed } from '../../runtime/objects/store-failures.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { randomHex } from '../../runtime/platform/crypto.ts'
import { readChunks } from '../../runtime/platform/files/file-chunks.ts'
import { readBytes } from '../../runtime/platform/files/files.ts'
import type { FileCache } from '../lake/cache/file-cache.ts'
import type { BlobPlace, StoredBlob } from './blob-place.ts'

interface BlobObject {
  readonly name: string
  readonly bytes: number
}

interface ListedBlob extends BlobObject {
  readonly digest: string
  /** When it was put, by the clock of the node; 0 for one of a copied folder. */
  readonly putMs: number
}

/**
 * Blobs as objects: `blobs/<first two characters>/<digest>.<milliseconds>-<nonce>`. Every put has a
 * name of its own: otherwise a node that was replaced, and resumes between finding out that a blob
 * is not referenced and removing it, would remove what the node after it has put since. See
 * docs/decisions/285-documents-in-a-lake.md.
 */
export class ObjectBlobs implements BlobPlace {
  private readonly store: ObjectStore
  private readonly cache: FileCache
  private readonly clock: Clock
  /** By digest. */
  private readonly known = new BoundedMap<string, BlobObject>(blobLimits.knownMax)

  constructor({ store, cache, clock }: { store: ObjectStore; cache: FileCache; clock: Clock }) {
    this.store = store
    this.cache = cache
    this.clock = clock
  }

  async put(file: string, { digest, bytes }: { readonly digest: string; readonly bytes: number }): Promise<void> {
    const name = `${prefixOf(digest)}.${this.clock.nowMs()}-${randomHex(8)}`
    await unavailableIfFailed(() => this.send(file, { name, bytes }))
    this.known.set(digest, { name, bytes })
    await this.cache.take(file, name)
  }

  async find(digest: string): Promise<StoredBlob | undefined> {
    const object = await this.objectOf(digest)
    if (object === undefined) return undefined
    return {
      bytes: object.bytes,
      read: (from, to) => this.pieces(digest, from, to),
      body: async (from, to) => {
        if (to - from > objectLimits.partBytes) return undefined
        const pieces: Uint8Array<ArrayBuffer>[] = []
        for await (const piece of this.pieces(digest, from, to)) pieces.push(new Uint8Array(piece))
        return new Blob(pieces)
      },
    }
  }

  /** Also removes older copies of blobs that were stored again, once no reader uses them. */
  async *listOlder(beforeMs: number): AsyncGenerator<string> {
    const borderMs = this.border(beforeMs)
    let earlier: ListedBlob | undefined
    for await (const blob of this.list('blobs/')) {
      if (earlier?.digest === blob.digest) {
        if (blob.putMs < borderMs) await this.remove(earlier)
      } else if (earlier !== undefined && earlier.putMs < borderMs) yield earlier.digest
      earlier = blob
    }
    if (earlier !== undefined && earlier.putMs < borderMs) yield earlier.digest
  }

  async removeIfOlder(digest: string, beforeMs: number): Promise<boolean> {
    const borderMs = this.border(beforeMs)
    let isRemoved = false
    for await (const blob of this.list(prefixOf(digest))) {
      isRemoved = blob.putMs < borderMs
      if (isRemoved) await this.remove(blob)
    }
    return isRemoved
  }

  /** Another node may have put blobs, and its clock may be behind. */
  private border(beforeMs: number): number {
    return Math.min(beforeMs, this.clock.nowMs() - storageLimits.blobGraceMs)
  }

  private async send(file: string, { name, bytes }: BlobObject): Promise<void> {
    const tag =
      bytes <= objectLimits.partBytes
        ? await this.store.put(name, await readBytes(file))
        : await this.store.putLarge(name, readChunks(file, 0, bytes))
    if (await isSameContent(this.store, { name, bytes, tag }, file)) return
    throw new ObjectStoreError('unexpected', `Cannot use ${this.store.place}/${name}: it has arrived damaged`)
  }

  private async objectOf(digest: string): Promise<BlobObject | undefined> {
    const known = this.known.get(digest)
    if (known !== undefined) return known
    const found = await unavailableIfFailed(() => this.newest(digest))
    if (found !== undefined) this.known.set(digest, found)
    return found
  }

  private async newest(digest: string): Promise<BlobObject | undefined> {
    let newest: BlobObject | undefined
    for await (const { name, bytes } of this.list(prefixOf(digest))) newest = { name, bytes }
    return newest
  }

  private async *pieces(digest: string, from: number, to: number): AsyncGenerator<Uint8Array> {
    for (let start = from; start < to; start += objectLimits.partBytes)
      yield await unavailableIfFailed(() => this.piece(digest, start, Math.min(to, start + objectLimits.partBytes)))
  }

  private async piece(digest: string, from: number, to: number): Promise<Uint8Array> {
    const object = await this.objectOf(digest)
    if (object === undefined) throw new Error(`The blob ${digest} is missing`)
    try {
      return await this.read(object, from, to)
    } catch (cause) {
      // It may have been put again since it was found, and removed.
      if (!isObjectError(cause, 'absent')) throw cause
      this.known.delete(digest)
      const again = await this.objectOf(digest)
      if (again === undefined) throw new Error(`The blob ${digest} is missing`, { cause })
      return await this.read(again, from, to)
    }
  }

  /** Small ones as a whole, so that they are verified. */
  private async read({ name, bytes }: BlobObject, from: number, to: number): Promise<Uint8Array> {
    const range = { start: from, length: to - from }
    if (bytes > objectLimits.partBytes) return await this.cache.read(name, bytes, range)
    this.cache.pin(name)
    try {
      await this.cache.ensure(name, bytes)
      return await this.cache.read(name, bytes, range)
    } finally {
      this.cache.unpin(name)
    }
  }

  private async remove({ name, bytes, digest }: ListedBlob): Promise<void> {
    if (this.known.get(digest)?.name === name) this.known.delete(digest)
    await this.store.delete(name)
    await this.cache.forget(name, bytes)
  }

  /** In the order of their digests, and of when they were put. */
  private async *list(prefix: string): AsyncGenerator<ListedBlob> {
    for await (const { name, bytes } of this.store.list(prefix)) {
      const [, digest, putMs = '0'] = nameForm.exec(name) ?? []
      if (digest !== undefined) yield { name, bytes, digest, putMs: Number(putMs) }
    }
  }
}

/** `tracelake copy` gives blobs the names that they have in a folder. */
const nameForm = /^blobs\/..\/(\w+)(?:\.(\d+)-\w+)?$/

const prefixOf = (digest: string): string => `blobs/${digest.slice(0, 2)}/${digest}`
