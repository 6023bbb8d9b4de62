import { wordAt } from '../../lib/bytes.ts'
import { checksum } from '../../runtime/platform/files/bytes.ts'
import { FileReadNow } from '../../runtime/platform/files/file-read-now.ts'
import type { ReadableFile } from '../../runtime/platform/files/random-access-file.ts'
import type { ValueHash } from '../keys/bloom-filter.ts'
import { localFiles } from '../stored-files.ts'
import { type BlockCache, blockBytes, blockWords } from './block-cache.ts'

/** `TKG1` and `TKG2` were Bloom filters of keys. */
const magic = 0x33474b54
const headerWords = 8
/** Words of a block before its checksum. */
export const contentWords = blockWords - 1
/** Entries of a bucket, on average. */
const bucketEntries = 32

/** What the header of a group says. */
export interface GroupHeader {
  /** Data files whose values it has, whether or not they are still part of the table. */
  readonly fileNames: readonly string[]
  /** How many keys, and how many values of all filtered columns, keys among them. */
  readonly keys: number
  readonly values: number
}

/** Where the parts of a group are: numbers of blocks, and the size of an entry's file number. */
export interface GroupShape {
  readonly buckets: number
  readonly directoryAt: number
  readonly entriesAt: number
  readonly blocks: number
  /** The lower bits of an entry, which are the number of a file; the others are of the hash. */
  readonly fileMask: number
}

export function shapeOf({ fileNames, values }: GroupHeader, headerBytes: number): GroupShape {
  const buckets = Math.max(1, Math.ceil(values / bucketEntries))
  const directoryAt = Math.ceil(headerBytes / blockBytes)
  const entriesAt = directoryAt + Math.ceil((buckets + 1) / contentWords)
  const blocks = entriesAt + Math.ceil(values / contentWords)
  return { buckets, directoryAt, entriesAt, blocks, fileMask: 2 ** Math.ceil(Math.log2(fileNames.length)) - 1 }
}

/** The bucket of a hash with this upper half. */
export const bucketOf = ({ buckets }: GroupShape, a: number): number => Math.floor((a / 2 ** 32) * buckets)

/** The entry of a hash with this lower half. */
export const entryOf = ({ fileMask }: GroupShape, b: number, file: number): number => ((b & ~fileMask) | file) >>> 0

/** The header, and the zeros after it. */
export function bytesOfHeader({ fileNames, keys, values }: GroupHeader): Uint8Array {
  const names = new TextEncoder().encode(fileNames.join('\n'))
  const length = headerWords * 4 + names.byteLength
  const bytes = new Uint8Array(Math.ceil(length / blockBytes) * blockBytes)
  bytes.set(names, headerWords * 4)
  const words = new Uint32Array(bytes.buffer, 0, headerWords)
  words.set([magic, 0, keys, values, fileNames.length, names.byteLength])
  words[1] = checksum(bytes.subarray(8, length))
  return bytes
}

/** Reverses `bytesOfHeader`; undefined for damaged or unknown data. */
async function readHeader(file: ReadableFile): Promise<{ header: GroupHeader; bytes: number } | undefined> {
  const start = await file.read(0, headerWords * 4)
  if (start.byteLength < headerWords * 4) return undefined
  const words = new Uint32Array(start.buffer, 0, headerWords)
  const [keys, values, files, namesBytes] = [wordAt(words, 2), wordAt(words, 3), wordAt(words, 4), wordAt(words, 5)]
  if (words[0] !== magic || namesBytes > (await file.bytes())) return undefined
  const names = await file.read(headerWords * 4, namesBytes)
  if (words[1] !== checksum(names, checksum(start.subarray(8)))) return undefined
  const fileNames = new TextDecoder().decode(names).split('\n')
  return fileNames.length === files
    ? { header: { fileNames, keys, values }, bytes: headerWords * 4 + namesBytes }
    : undefined
}

/**
 * Tells which of many data files have a value: a table of hashes and numbers of files on disk, of
 * which a lookup reads two blocks of 4 KiB. It is immutable. What it says of files that have left
 * the table stays in it until another group replaces it. The format is in docs/data-on-disk.md, the
 * reasons are in docs/decisions/307-filters-read-by-need.md.
 */
export class KeyGroup {
  readonly path: string
  readonly fileNames: readonly string[]
  readonly keys: number
  /** Whether a block turned out to be damaged. */
  isDamaged = false
  private readonly shape: GroupShape
  private readonly cache: BlockCache
  private readonly owner: number
  private readonly numbers: ReadonlyMap<string, number>

  private constructor(path: string, { fileNames, keys }: GroupHeader, shape: GroupShape, cache: BlockCache) {
    this.path = path
    this.fileNames = fileNames
    this.keys = keys
    this.shape = shape
    this.cache = cache
    this.owner = cache.newOwner()
    this.numbers = new Map(fileNames.map((name, number) => [name, number]))
  }

  /** @returns undefined if the file is missing, of another version, or visibly damaged */
  static async find(path: string, cache: BlockCache): Promise<KeyGroup | undefined> {
    await using file = await localFiles.open(path)
    const found = file && (await readHeader(file))
    if (file === undefined || found === undefined) return undefined
    const shape = shapeOf(found.header, found.bytes)
    if ((await file.bytes()) !== shape.blocks * blockBytes) return undefined
    return new KeyGroup(path, found.header, shape, cache)
  }

  numberOf(fileName: string): number | undefined {
    return this.numbers.get(fileName)
  }

  /** For lookups: opened by the first that needs it. */
  reader(): FileReadNow {
    return new FileReadNow(this.path)
  }

  /**
   * The numbers of the files that may have a value, each once. For a value that a file does not
   * have, it is among them with a chance of less than 1 in 2,000.
   *
   * @returns undefined if the group is gone or damaged, so that any file may have it
   */
  filesWith({ a, b }: ValueHash, reader: FileReadNow): readonly number[] | undefined {
    const { shape } = this
    const bucket = bucketOf(shape, a)
    const directory = this.block(shape.directoryAt + Math.floor(bucket / contentWords), reader)
    if (directory === undefined) return undefined
    const place = bucket % contentWords
    const start = wordAt(directory, place)
    const end = place + 1 < contentWords ? wordAt(directory, place + 1) : this.firstWord(bucket + 1, reader)
    if (end === undefined) return undefined
    const found: number[] = []
    const rest = ~shape.fileMask
    for (let at = start; at < end; ) {
      const block = this.block(shape.entriesAt + Math.floor(at / contentWords), reader)
      if (block === undefined) return undefined
      const from = at % contentWords
      const to = Math.min(contentWords, from + end - at)
      for (let index = from; index < to; index++) {
        const entry = wordAt(block, index)
        if (((entry ^ b) & rest) !== 0) continue
        const file = entry & shape.fileMask
        // Entries of a file are neighbours in their bucket.
        if (found.at(-1) !== file) found.push(file)
      }
      at += to - from
    }
    return found
  }

  /** A word of the directory that begins a block. */
  private firstWord(index: number, reader: FileReadNow): number | undefined {
    const block = this.block(this.shape.directoryAt + index / contentWords, reader)
    return block && wordAt(block, 0)
  }

  private block(number: number, reader: FileReadNow): Uint32Array | undefined {
    const known = this.cache.find(this.owner + number)
    if (known !== undefined) return known
    const block = this.cache.add(this.owner + number, (words) => {
      const bytes = new Uint8Array(words.buffer, words.byteOffset, blockBytes)
      return (
        reader.read(bytes, number * blockBytes) && checksum(bytes.subarray(0, contentWords * 4)) === words[contentWords]
      )
    })
    if (block === undefined) this.isDamaged = true
    return block
  }
}
