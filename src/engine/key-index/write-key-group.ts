import { numberAt, releaseBytes, wordAt } from '../../lib/bytes.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import { checksum } from '../../runtime/platform/files/bytes.ts'
import { type PutBytes, writePartsDurably } from '../../runtime/platform/files/durable-files.ts'
import type { KeyFile } from '../keys/key-file.ts'
import { blockBytes, blockWords } from './block-cache.ts'
import { bucketOf, bytesOfHeader, contentWords, entryOf, type GroupShape, shapeOf } from './key-group.ts'

/** A data file, and the hashes of its values: its keys first. */
export interface GroupMember {
  readonly fileName: string
  readonly lists: readonly KeyFile[]
}

/** The hashes of a data file are gone or damaged. */
export class UnreadableHashes extends Error {
  readonly fileName: string

  constructor(fileName: string, cause: unknown) {
    super(`Cannot read the hashes of the values of ${fileName}`, { cause })
    this.fileName = fileName
  }
}

/** Values that are in memory at the same time, 12 bytes each; and at least so many of each list. */
const sliceValuesMin = 2 ** 18
const sliceValuesMax = 2 ** 20
const sliceValuesOfList = 1024

/**
 * Writes a group of data files. Their hashes are in order, so a slice of the buckets is read from
 * each of them and written, and then the next.
 *
 * @throws UnreadableHashes
 */
export async function writeKeyGroup(path: string, members: readonly GroupMember[]): Promise<void> {
  const lists = members.flatMap((member, file) => member.lists.map((list) => ({ list, file })))
  const values = lists.reduce((sum, { list }) => sum + list.count, 0)
  const keys = members.reduce((sum, member) => sum + (member.lists[0]?.count ?? 0), 0)
  const header = { fileNames: members.map(({ fileName }) => fileName), keys, values }
  const headerBytes = bytesOfHeader(header)
  const shape = shapeOf(header, headerBytes.byteLength)
  const wanted = Math.min(sliceValuesMax, Math.max(sliceValuesMin, lists.length * sliceValuesOfList))
  const slices = Math.max(1, Math.ceil(values / wanted))
  const ofSlice = new Slice(shape, Math.ceil((values / slices) * 1.1) + 1024)
  await writePartsDurably(path, async (put) => {
    await put(0, headerBytes)
    const directory = new BlockWriter(put, shape.directoryAt)
    const entries = new BlockWriter(put, shape.entriesAt)
    for (let slice = 0; slice < slices; slice++) {
      const [first, end] = [slice, slice + 1].map((at) => Math.floor((shape.buckets * at) / slices)) as [number, number]
      ofSlice.begin(first, end)
      for (const { list, file } of lists)
        await ofSlice.add(list, file).catch((cause: unknown) => {
          throw new UnreadableHashes(header.fileNames[file] ?? '', cause)
        })
      await ofSlice.write(directory, entries)
    }
    if (entries.count !== values)
      throw new Error(`Write the key group ${path}: found ${entries.count} values instead of ${values}`)
    await directory.add(entries.count)
    await directory.end()
    await entries.end()
  })
}

/** The values of some buckets, in the order of their files. */
class Slice {
  private readonly shape: GroupShape
  private first = 0
  private end = 0
  private buckets: Uint32Array
  private entries: Uint32Array
  private count = 0
  private readonly time = new TimeSlice()

  constructor(shape: GroupShape, capacity: number) {
    this.shape = shape
    this.buckets = new Uint32Array(capacity)
    this.entries = new Uint32Array(capacity)
  }

  begin(first: number, end: number): void {
    this.first = first
    this.end = end
    this.count = 0
  }

  /** Adds those of the file with this number. */
  async add(list: KeyFile, file: number): Promise<void> {
    const { shape, first, end } = this
    const upperOf = (bucket: number) => Math.floor((bucket / shape.buckets) * 2 ** 32)
    const hashes = await list.hashesBetween(Math.max(0, upperOf(first) - 1), Math.min(2 ** 32 - 1, upperOf(end) + 1))
    if (this.count + hashes.length / 2 > this.entries.length) this.grow(this.count + hashes.length / 2)
    for (let at = 0; at < hashes.length; at += 2) {
      const bucket = bucketOf(shape, wordAt(hashes, at + 1))
      if (bucket < first || bucket >= end) continue
      this.buckets[this.count] = bucket - first
      this.entries[this.count++] = entryOf(shape, wordAt(hashes, at), file)
    }
    releaseBytes(new Uint8Array(hashes.buffer))
    await this.time.yieldIfExpired()
  }

  private grow(count: number): void {
    const [{ buckets, entries }, size] = [this, count * 2]
    this.buckets = new Uint32Array(size)
    this.buckets.set(buckets)
    this.entries = new Uint32Array(size)
    this.entries.set(entries)
  }

  /** Sorts them by counting, so that those of a file remain neighbours. */
  async write(directory: BlockWriter, into: BlockWriter): Promise<void> {
    const { buckets, entries, count, time } = this
    const ends = new Float64Array(this.end - this.first)
    for (let at = 0; at < count; at++) {
      const bucket = wordAt(buckets, at)
      ends[bucket] = numberAt(ends, bucket) + 1
      if (time.expired) await time.yield()
    }
    let start = 0
    for (let bucket = 0; bucket < ends.length; bucket++) {
      const length = numberAt(ends, bucket)
      await directory.add(into.count + start)
      ends[bucket] = start
      start += length
    }
    const sorted = new Uint32Array(count)
    for (let at = 0; at < count; at++) {
      const bucket = wordAt(buckets, at)
      const place = numberAt(ends, bucket)
      sorted[place] = wordAt(entries, at)
      ends[bucket] = place + 1
      if (time.expired) await time.yield()
    }
    await into.addAll(sorted)
  }
}

/** Writes words as blocks with checksums, many at a time. */
class BlockWriter {
  count = 0
  private readonly put: PutBytes
  private block: number
  private readonly words = new Uint32Array(blockWords * 64)
  private at = 0

  constructor(put: PutBytes, firstBlock: number) {
    this.put = put
    this.block = firstBlock
  }

  add(word: number): Promise<void> | undefined {
    this.words[this.at++] = word
    this.count++
    if (this.at % blockWords !== contentWords) return undefined
    this.seal()
    return this.at === this.words.length ? this.flush() : undefined
  }

  async addAll(words: Uint32Array): Promise<void> {
    for (const word of words) {
      const flushed = this.add(word)
      if (flushed !== undefined) await flushed
    }
  }

  async end(): Promise<void> {
    if (this.at % blockWords !== 0) {
      const end = this.at - (this.at % blockWords) + contentWords
      this.words.fill(0, this.at, end)
      this.at = end
      this.seal()
    }
    await this.flush()
  }

  private seal(): void {
    const content = new Uint8Array(this.words.buffer, (this.at - contentWords) * 4, contentWords * 4)
    this.words[this.at++] = checksum(content)
  }

  private async flush(): Promise<void> {
    await this.put(this.block * blockBytes, new Uint8Array(this.words.buffer, 0, this.at * 4))
    this.block += this.at / blockWords
    this.at = 0
  }
}
