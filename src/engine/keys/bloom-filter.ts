import xxhash from 'xxhash-wasm'
import { checksum } from '../../runtime/platform/files/checksum.ts'

const { h32 } = await xxhash()

/** With 14 probes the false positive rate is about 1 in 15,000. */
const bitsPerValue = 20
const probes = 14
const headerBytes = 16
const magic = 0x32464c54

/**
 * A Bloom filter of texts, one per file and small enough to stay in memory (2.5 bytes per value),
 * so that an id lookup opens only the files that contain it.
 */
export class BloomFilter {
  private readonly bits: Uint32Array
  private readonly bitCount: number

  private constructor(bits: Uint32Array) {
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
  static fromBytes(bytes: Uint8Array): BloomFilter | undefined {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (bytes.byteLength < headerBytes || view.getUint32(0, true) !== magic) return undefined
    const words = view.getUint32(4, true)
    if (bytes.byteLength !== headerBytes + words * 4) return undefined
    // A lost bit would hide an existing row, and its next part would become a second row.
    if (view.getUint32(8, true) !== checksum(bytes.subarray(headerBytes))) return undefined
    return new BloomFilter(new Uint32Array(bytes.slice(headerBytes).buffer))
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
      this.bits[bit >>> 5]! |= 1 << (bit & 31)
    }
  }

  mayContain(hash: ValueHash): boolean {
    for (let i = 0; i < probes; i++) {
      const bit = this.bit(hash, i)
      if ((this.bits[bit >>> 5]! & (1 << (bit & 31))) === 0) return false
    }
    return true
  }

  /** Double hashing (Kirsch and Mitzenmacher, "Less Hashing, Same Performance", 2006). */
  private bit(hash: ValueHash, probe: number): number {
    return (hash.a + probe * hash.b) % this.bitCount
  }
}

/** Two independent 32-bit hashes of a value. */
export interface ValueHash {
  readonly a: number
  readonly b: number
}

/** Hashes `value` in `column` of `project`; the same for every file. */
export function hashValue(column: string, project: string, value: string): ValueHash {
  const text = `${column}\n${project}\n${value}`
  return { a: h32(text, 0), b: (h32(text, 0x9e3779b9) | 1) >>> 0 }
}
