import { concatBytes } from '../../../lib/bytes.ts'
import { cacheLimits, objectLimits } from '../../../lib/limits/objects.ts'
import type { SizedObject } from '../../../runtime/objects/download.ts'
import { type ObjectStore, ObjectStoreError } from '../../../runtime/objects/object-store.ts'
import { sha256Hex } from '../../../runtime/platform/crypto.ts'
import { checksum } from '../../../runtime/platform/files/bytes.ts'
import { writeChunks } from '../../../runtime/platform/files/file-chunks.ts'
import { findBytes } from '../../../runtime/platform/files/files.ts'
import { RandomAccessFile } from '../../../runtime/platform/files/random-access-file.ts'
import { refuseToWait } from '../../../runtime/platform/without-waiting.ts'
import { blockKey, type CacheFolder } from './cache-folder.ts'
import type { CachedFile } from './cached-files.ts'

const { blockBytes } = cacheLimits
const blocksAtOnceMax = objectLimits.partBytes / blockBytes

/** The bytes [from, to) of a block. */
interface BlockPart {
  readonly from: number
  readonly to: number
}

/** Parts of large objects, each a file of the cache. A store has no checksums of parts. */
export class CachedBlocks {
  private readonly store: ObjectStore
  private readonly folder: CacheFolder
  private readonly signal: AbortSignal
  private readonly arriving = new Map<string, Promise<Uint8Array>>()
  /** Parts of their keys. */
  private readonly digests = new WeakMap<SizedObject, string>()
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
    const partOf = (number: number): BlockPart => ({
      from: Math.max(0, start - number * blockBytes),
      to: Math.min(blockBytes, end - number * blockBytes),
    })
    const local = await Promise.all(numbers.map((number) => this.findLocal(this.keyOf(object, number), partOf(number))))
    const missing = numbers.filter((_, index) => local[index] === undefined)
    if (missing.length === 0) this.hits++
    else this.misses++
    if (missing.length > 0) refuseToWait()
    this.fetchMissing(object, missing)
    const parts = await Promise.all(
      numbers.map(async (number, index) => {
        const { from, to } = partOf(number)
        return local[index] ?? (await this.coming(object, number)).subarray(from, to)
      }),
    )
    const [first] = parts
    return first !== undefined && parts.length === 1 ? first : concatBytes(parts)
  }

  /** Fetches those of the blocks with some bytes that are not there. */
  async bring(object: SizedObject, start: number, end: number): Promise<void> {
    const missing = blocksBetween(start, end).filter(
      (number) => this.folder.files.find(this.keyOf(object, number)) === undefined,
    )
    if (missing.length === 0) return
    refuseToWait()
    this.misses++
    this.fetchMissing(object, missing)
    await Promise.all(missing.map((number) => this.coming(object, number)))
  }

  /** With the size: an index that is written again has other bytes under its name. */
  private keyOf(object: SizedObject, number: number): string {
    const { name, bytes } = object
    const digest = this.digests.get(object) ?? sha256Hex(`${name} ${bytes}`).slice(0, 32)
    this.digests.set(object, digest)
    return blockKey(`${digest}-${number}`)
  }

  private coming(object: SizedObject, number: number): Promise<Uint8Array> {
    const block = this.arriving.get(this.keyOf(object, number))
    if (block === undefined) throw new Error(`Block ${number} of ${object.name} is neither there nor being fetched`)
    return block
  }

  keysOf(object: SizedObject): string[] {
    return Array.from({ length: Math.ceil(object.bytes / blockBytes) }, (_, number) => this.keyOf(object, number))
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.arriving.values())
  }

  /**
   * A part of a block of the folder, unless the block is missing or damaged. Before its first use
   * in this process, all of it is read and compared.
   */
  private async findLocal(key: string, part: BlockPart): Promise<Uint8Array | undefined> {
    const known = this.folder.files.find(key)
    if (known === undefined) return undefined
    this.folder.files.touch(key)
    const found = await (known.isProven ? this.findProven(key, known, part) : this.prove(key, known, part))
    if (found !== undefined) return found
    // Unless it has just been evicted.
    if (this.folder.files.find(key) === known) await this.folder.removeDamaged(key)
    return undefined
  }

  private async findProven(key: string, { bytes }: CachedFile, part: BlockPart): Promise<Uint8Array | undefined> {
    await using file = await RandomAccessFile.find(this.folder.pathOf(key))
    if (file === undefined || (await file.bytes()) !== bytes) return undefined
    const found = await file.read(part.from, part.to - part.from)
    return found.length === part.to - part.from ? found : undefined
  }

  private async prove(key: string, known: CachedFile, part: BlockPart): Promise<Uint8Array | undefined> {
    const bytes = await findBytes(this.folder.pathOf(key))
    if (bytes?.length !== known.bytes || checksum(bytes) !== known.checksum) return undefined
    known.isProven = true
    return bytes.subarray(part.from, part.to)
  }

  private fetchMissing(object: SizedObject, missing: readonly number[]): void {
    const wanted = missing.filter((number) => !this.arriving.has(this.keyOf(object, number)))
    for (const run of runsOf(wanted)) {
      const fetched = this.fetch(object, run)
      for (const [index, number] of run.entries()) {
        const key = this.keyOf(object, number)
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

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
