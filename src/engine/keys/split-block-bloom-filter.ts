/** The false positive rate is about 1 in 200. */
const bitsPerKey = 12
const blockWords = 8
const blockBits = blockWords * 32

/**
 * A split block Bloom filter (Apache Parquet format, "Parquet Bloom Filter"): all bits of a key lie
 * in one block of 32 bytes, so a lookup touches one cache line. 1.5 bytes per key.
 */
export class SplitBlockBloomFilter {
  readonly words: Uint32Array
  /** Scales the 32-bit half that selects the block to a block number. */
  private readonly scale: number

  constructor(words: Uint32Array) {
    this.words = words
    this.scale = words.length / blockWords / 2 ** 32
  }

  static withCapacity(keys: number): SplitBlockBloomFilter {
    return new SplitBlockBloomFilter(
      new Uint32Array(Math.max(1, Math.ceil((keys * bitsPerKey) / blockBits)) * blockWords),
    )
  }

  add(a: number, b: number): void {
    const { words } = this
    const at = Math.floor(a * this.scale) * blockWords
    words[at]! |= 1 << (Math.imul(b, 0x47b6137b) >>> 27)
    words[at + 1]! |= 1 << (Math.imul(b, 0x44974d91) >>> 27)
    words[at + 2]! |= 1 << (Math.imul(b, 0x8824ad5b) >>> 27)
    words[at + 3]! |= 1 << (Math.imul(b, 0xa2b7289d) >>> 27)
    words[at + 4]! |= 1 << (Math.imul(b, 0x705495c7) >>> 27)
    words[at + 5]! |= 1 << (Math.imul(b, 0x2df1424b) >>> 27)
    words[at + 6]! |= 1 << (Math.imul(b, 0x9efc4947) >>> 27)
    words[at + 7]! |= 1 << (Math.imul(b, 0x5c6bfb31) >>> 27)
  }

  mayContain(a: number, b: number): boolean {
    const { words } = this
    const at = Math.floor(a * this.scale) * blockWords
    return (
      ((words[at]! >>> (Math.imul(b, 0x47b6137b) >>> 27)) & 1) === 1 &&
      ((words[at + 1]! >>> (Math.imul(b, 0x44974d91) >>> 27)) & 1) === 1 &&
      ((words[at + 2]! >>> (Math.imul(b, 0x8824ad5b) >>> 27)) & 1) === 1 &&
      ((words[at + 3]! >>> (Math.imul(b, 0xa2b7289d) >>> 27)) & 1) === 1 &&
      ((words[at + 4]! >>> (Math.imul(b, 0x705495c7) >>> 27)) & 1) === 1 &&
      ((words[at + 5]! >>> (Math.imul(b, 0x2df1424b) >>> 27)) & 1) === 1 &&
      ((words[at + 6]! >>> (Math.imul(b, 0x9efc4947) >>> 27)) & 1) === 1 &&
      ((words[at + 7]! >>> (Math.imul(b, 0x5c6bfb31) >>> 27)) & 1) === 1
    )
  }
}
