import xxhash from 'xxhash-wasm'
import { wordAt } from '../../lib/bytes.ts'
import { checksum } from '../../runtime/platform/files/bytes.ts'
import type { FileReadNow } from '../../runtime/platform/files/file-read-now.ts'

const { h32, h64 } = await xxhash()

/** With 14 probes the false positive rate is about 1 in 15,000. */
const bitsPerValue = 20
const probes = 14
const headerBytes = 16
const magic = 0x32464c54

/**
 * A Bloom filter of texts, one per file, so that an id lookup opens only the files that contain it.
 * 2.5 bytes per value: in memory only for files that are in no group, see `FileFilter`.
 */
export class BloomFilter {
  /** How its values are hashed. */
  readonly hashing: Hashing
  private readonly bits: Uint32Array
  private readonly bitCount: number

  private constructor(bits: Uint32Array, hashing: Hashing = 'xxh64') {
    this.hashing = hashing
    this.bits = bits
    this.bitCount = bits.length * 32
  }

  static withCapacity(values: number): BloomFilter {
    return new BloomFilter(new Uint32Array(Math.max(2, Math.ceil((values * bitsPerValue) / 32))))
  }

  /** A filter that matches everything. */
  static matchAll(): BloomFilter {
    return new BloomFilter(new Uint32Array(2).fill(0xffffffff))
  }

  /** Reverses `toBytes`; undefined for damaged or unknown data. */
  static fromBytes(bytes: Uint8Array, hashing: Hashing = 'xxh64'): BloomFilter | undefined {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (bytes.byteLength < headerBytes || view.getUint32(0, true) !== magic) return undefined
    const words = view.getUint32(4, true)
    if (bytes.byteLength !== headerBytes + words * 4) return undefined
    // A lost bit would hide an existing row, and its next part would become a second row.
    if (view.getUint32(8, true) !== checksum(bytes.subarray(headerBytes))) return undefined
    return new BloomFilter(new Uint32Array(bytes.slice(headerBytes).buffer), hashing)
  }

  /** Memory that it takes. */
  get byteLength(): number {
    return this.bits.byteLength
  }

  toBytes(): Uint8Array {
    const bytes = new Uint8Array(headerBytes + this.bits.byteLength)
    const view = new DataView(bytes.buffer)
    view.setUint32(0, magic, true)
    view.setUint32(4, this.bits.length, true)
    bytes.set(new Uint8Array(this.bits.buffer, this.bits.byteOffset, this.bits.byteLength), headerBytes)
    view.setUint32(8, checksum(bytes.subarray(headerBytes)), true)
    return bytes
  }

  add(hash: ValueHash): void {
    for (let i = 0; i < probes; i++) {
      const bit = this.bit(hash, i)
      this.bits[bit >>> 5] = wordAt(this.bits, bit >>> 5) | (1 << (bit & 31))
    }
  }

  mayContain(hash: ValueHash): boolean {
    for (let i = 0; i < probes; i++) {
      const bit = this.bit(hash, i)
      if ((wordAt(this.bits, bit >>> 5) & (1 << (bit & 31))) === 0) return false
    }
    return true
  }

  /** Double hashing (Kirsch and Mitzenmacher, "Less Hashing, Same Performance", 2006). */
  private bit(hash: ValueHash, probe: number): number {
    return (hash.a + probe * hash.b) % this.bitCount
  }
}

/** Two independent 32-bit hashes of a value. The second is never 0. */
export interface ValueHash {
  readonly a: number
  readonly b: number
}

/**
 * How values are hashed. Formats up to 3 took two hashes of 32 bits with different seeds, which of
 * ids with 16 hexadecimal digits are no better than 40 bits; see
 * docs/decisions/270-one-index-file.md and docs/decisions/273-hashes-of-64-bits.md.
 */
export type Hashing = 'xxh32' | 'xxh64'

/** How the values of a section of this version are hashed. */
export const hashingOf = ({ version }: { readonly version: number }): Hashing => (version === 1 ? 'xxh32' : 'xxh64')

const wide = new BigUint64Array(1)
/** The same memory: the lower half comes first on little-endian processors. */
const halves = new Uint32Array(wide.buffer)

/** Hashes `value` in `column` of `project`; the same for every file. */
export function hashValue(column: string, project: string, value: string, hashing: Hashing = 'xxh64'): ValueHash {
  const text = `${column}\n${project}\n${value}`
  if (hashing === 'xxh32') return { a: h32(text, 0), b: (h32(text, 0x9e3779b9) | 1) >>> 0 }
  wide[0] = h64(text)
  return { a: wordAt(halves, 1), b: (wordAt(halves, 0) | 1) >>> 0 }
}

/** A group of files that knows their values; see `KeyGroup`. */
export interface GroupOfFiles {
  reader(): FileReadNow
  /** The numbers of the files that may have a value; undefined if it cannot tell. */
  filesWith(hash: ValueHash, reader: FileReadNow): readonly number[] | undefined
}

/** The hashes of a value, each computed when a file needs it, and what groups say of it. */
export class HashedValue {
  private readonly text: readonly [column: string, project: string, value: string]
  private readonly known = new Map<Hashing, ValueHash>()
  private readonly found = new Map<GroupOfFiles, ReadonlySet<number> | undefined>()

  constructor(column: string, project: string, value: string) {
    this.text = [column, project, value]
  }

  by(hashing: Hashing): ValueHash {
    const known = this.known.get(hashing)
    if (known !== undefined) return known
    const hash = hashValue(...this.text, hashing)
    this.known.set(hashing, hash)
    return hash
  }

  /** The files of a group that may have the value; undefined if it cannot tell. */
  filesIn(group: GroupOfFiles): ReadonlySet<number> | undefined {
    if (!this.found.has(group)) {
      using reader = group.reader()
      const numbers = group.filesWith(this.by('xxh64'), reader)
      this.found.set(group, numbers && new Set(numbers))
    }
    return this.found.get(group)
  }
}

/**
 * Key hashes in ascending order, without duplicates. Two words per hash, `b` before `a`: on
 * little-endian processors, the only ones supported, they form one 64-bit number with `a` as its
 * upper half.
 */
export type SortedHashes = Uint32Array

/** Collects key hashes one by one, 8 bytes each. */
export class KeyHashCollector {
  private words = new Uint32Array(256)
  private length = 0

  add({ a, b }: ValueHash): void {
    if (this.length === this.words.length) {
      const larger = new Uint32Array(this.words.length * 2)
      larger.set(this.words)
      this.words = larger
    }
    this.words[this.length++] = b
    this.words[this.length++] = a
  }

  /** How many have been added. */
  get count(): number {
    return this.length / 2
  }

  /** One of them, in the order in which they were added. */
  at(index: number): ValueHash {
    return { a: wordAt(this.words, index * 2 + 1), b: wordAt(this.words, index * 2) }
  }

  /** The collected hashes without those in `except`. */
  sorted(except?: KeyHashCollector): SortedHashes {
    const words = this.words.slice(0, this.length)
    new BigUint64Array(words.buffer).sort()
    const left = except?.sorted() ?? new Uint32Array(0)
    let kept = 0
    let skip = 0
    for (let at = 0; at < words.length; at += 2) {
      if (kept > 0 && compareHashes(words, at, words, kept - 2) === 0) continue
      while (skip < left.length && compareHashes(left, skip, words, at) < 0) skip += 2
      if (skip < left.length && compareHashes(left, skip, words, at) === 0) continue
      words[kept] = wordAt(words, at)
      words[kept + 1] = wordAt(words, at + 1)
      kept += 2
    }
    return words.subarray(0, kept)
  }
}

/**
 * Compares the hash at word `i` of `x` with the one at word `j` of `y`: negative, 0 or positive.
 */
export function compareHashes(x: Uint32Array, i: number, y: Uint32Array, j: number): number {
  return wordAt(x, i + 1) - wordAt(y, j + 1) || wordAt(x, i) - wordAt(y, j)
}
