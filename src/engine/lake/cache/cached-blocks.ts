import { concatBytes } from '../../../lib/bytes.ts'
import { cacheLimits, objectLimits } from '../../../lib/limits/objects.ts'
import type { SizedObject } from '../../../runtime/objects/download.ts'
import { type ObjectStore, ObjectStoreError } from '../../../runtime/objects/object-store.ts'
import { sha256Hex } from '../../../runtime/platform/crypto.ts'
import { checksum } from '../../../runtime/platform/files/bytes.ts'
import { writeChunks } from '../../../runtime/platform/files/file-chunks.ts'
import { findBytes } from '../../../runtime/platform/files/files.ts'
import { refuseToWait } from '../../../runtime/platform/without-waiting.ts'
import { blockKey, type CacheFolder } from './cache-folder.ts'

const { blockBytes } = cacheLimits
const blocksAtOnceMax = objectLimits.partBytes / blockBytes

/** Parts of large objects, each a file of the cache. A store has no checksums of parts. */
export class CachedBlocks {
  private readonly store: ObjectStore
  private readonly folder: CacheFolder
  private readonly signal: AbortSignal
  private readonly arriving = new Map<string, Promise<Uint8Array>>()
  hits = 0
  misses = 0

  constructor(store: ObjectStore, folder: CacheFolder, signal: AbortSignal) {
    this.store = store
    this.folder = folder
    this.signal = signal
  }

  /** The bytes [start, end) of an object, which has them. Missing neighbours take one request. */
  async read(object: SizedObject, start: number, end: number): Promise<Uint8Array> {
    const numbers = blocksBetween(start, end)
    const local = await Promise.all(numbers.map((number) => this.findLocal(keyOf(object, number))))
    const missing = numbers.filter((_, index) => local[index] === undefined)
    if (missing.length === 0) this.hits++
    else this.misses++
    if (missing.length > 0) refuseToWait()
    this.fetchMissing(object, missing)
    const blocks = await Promise.all(numbers.map((number, index) => local[index] ?? this.coming(object, number)))
    const from = Math.floor(start / blockBytes) * blockBytes
    return concatBytes(blocks).subarray(start - from, end - from)
  }

  /** Fetches those of the blocks with some bytes that are not there. */
  async bring(object: SizedObject, start: number, end: number): Promise<void> {
    const missing = blocksBetween(start, end).filter(
      (number) => this.folder.files.find(keyOf(object, number)) === undefined,
    )
    if (missing.length === 0) return
    refuseToWait()
    this.misses++
    this.fetchMissing(object, missing)
    await Promise.all(missing.map((number) => this.coming(object, number)))
  }

  private coming(object: SizedObject, number: number): Promise<Uint8Array> {
    const block = this.arriving.get(keyOf(object, number))
    if (block === undefined) throw new Error(`Block ${number} of ${object.name} is neither there nor being fetched`)
    return block
  }

  keysOf(object: SizedObject): string[] {
    return Array.from({ length: Math.ceil(object.bytes / blockBytes) }, (_, number) => keyOf(object, number))
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.arriving.values())
  }

  /** A block of the folder, unless it is missing or damaged. */
  private async findLocal(key: string): Promise<Uint8Array | undefined> {
    const known = this.folder.files.find(key)
    if (known === undefined) return undefined
    this.folder.files.touch(key)
    const bytes = await findBytes(this.folder.pathOf(key))
    if (bytes?.length === known.bytes && checksum(bytes) === known.checksum) return bytes
    // Unless it has just been evicted.
    if (this.folder.files.find(key) === known) await this.folder.removeDamaged(key)
    return undefined
  }

  private fetchMissing(object: SizedObject, missing: readonly number[]): void {
    const wanted = missing.filter((number) => !this.arriving.has(keyOf(object, number)))
    for (const run of runsOf(wanted)) {
      const fetched = this.fetch(object, run)
      for (const [index, number] of run.entries()) {
        const key = keyOf(object, number)
        const block = fetched.then((bytes) => bytes.subarray(index * blockBytes, (index + 1) * blockBytes))
        const arrived = block.then((bytes) => this.keep(key, bytes)).finally(() => this.arriving.delete(key))
        // The reader that asked first may have failed for another block.
        arrived.catch(() => {})
        this.arriving.set(key, arrived)
      }
    }
  }

  private async fetch({ name, bytes }: SizedObject, run: readonly number[]): Promise<Uint8Array> {
    const start = (run[0] ?? 0) * blockBytes
    const length = Math.min(bytes - start, run.length * blockBytes)
    const found = await this.store.get(name, { range: { start, length }, signal: this.signal })
    if (found.bytes.length === length) return found.bytes
    const what = `its part from byte ${start} on has ${found.bytes.length} bytes, expected ${length}`
    throw new ObjectStoreError('unexpected', `Cannot use ${this.store.place}/${name}: ${what}`)
  }

  private async keep(key: string, bytes: Uint8Array): Promise<Uint8Array> {
    await this.folder.arrive(key, bytes.length, async (file) => {
      await writeChunks(file, oneOf(bytes))
      return checksum(bytes)
    })
    return bytes
  }
}

/** The numbers of the blocks with the bytes [start, end). */
function blocksBetween(start: number, end: number): number[] {
  const first = Math.floor(start / blockBytes)
  return Array.from({ length: Math.ceil(end / blockBytes) - first }, (_, index) => first + index)
}

/** Numbers that follow each other, as many as fit into one request. */
function runsOf(numbers: readonly number[]): number[][] {
  const runs: number[][] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last !== undefined && last.at(-1) === number - 1 && last.length < blocksAtOnceMax) last.push(number)
    else runs.push([number])
  }
  return runs
}

/** With the size: an index that is written again has other bytes under its name. */
const keyOf = ({ name, bytes }: SizedObject, number: number): string =>
  blockKey(`${sha256Hex(`${name} ${bytes}`).slice(0, 32)}-${number}`)

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
