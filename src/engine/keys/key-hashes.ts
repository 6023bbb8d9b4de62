import type { ValueHash } from './bloom-filter.ts'

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
      words[kept] = words[at]!
      words[kept + 1] = words[at + 1]!
      kept += 2
    }
    return words.subarray(0, kept)
  }
}

/**
 * Compares the hash at word `i` of `x` with the one at word `j` of `y`: negative, 0 or positive.
 */
export function compareHashes(x: Uint32Array, i: number, y: Uint32Array, j: number): number {
  return x[i + 1]! - y[j + 1]! || x[i]! - y[j]!
}
