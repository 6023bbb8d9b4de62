/**
 * A stream of random 32-bit integers that is the same for the same seed, on every machine:
 * xoshiro128** 1.1 (Blackman and Vigna 2018), its state filled by SplitMix32 from the seed.
 */
export class Random {
  private a: number
  private b: number
  private c: number
  private d: number

  constructor(seed: number) {
    const fill = (step: number): number => {
      const at = Math.trunc(seed + step * 0x9e3779b9)
      let mixed = Math.imul(at ^ (at >>> 16), 0x85ebca6b)
      mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
      return mixed ^ (mixed >>> 16)
    }
    this.a = fill(1)
    this.b = fill(2)
    this.c = fill(3)
    this.d = fill(4)
  }

  /**
   * Draws as many places as there are, each any of them, and counts how often each was drawn.
   *
   * @param counts at most 2^21, so that products are exact
   */
  draw(counts: Float64Array): void {
    // In variables of the loop: it runs ten million times for a large comparison.
    let { a, b, c, d } = this
    const places = counts.length
    counts.fill(0)
    for (let left = places; left > 0; left--) {
      const bits = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0
      const mixed = c ^ a
      const other = d ^ b
      a ^= other
      c = mixed ^ (b << 9)
      b ^= mixed
      d = rotated(other, 11)
      const place = Math.floor((bits * places) / 2 ** 32)
      counts[place] = (counts[place] ?? 0) + 1
    }
    this.a = a
    this.b = b
    this.c = c
    this.d = d
  }
}

const rotated = (bits: number, by: number): number => (bits << by) | (bits >>> (32 - by))
