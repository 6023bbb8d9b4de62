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
   * Draws as many values as there are, each any of them, and returns their sum and the sum of their
   * squares. @param values at most 2^21, so that products are exact
   */
  drawSums(values: Float64Array): { sum: number; squares: number } {
    // In variables of the loop: it runs a hundred million times for a large comparison.
    let { a, b, c, d } = this
    const count = values.length
    let sum = 0
    let squares = 0
    for (let left = count; left > 0; left--) {
      const bits = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0
      const mixed = c ^ a
      const other = d ^ b
      a ^= other
      c = mixed ^ (b << 9)
      b ^= mixed
      d = rotated(other, 11)
      const value = values[Math.floor((bits * count) / 2 ** 32)] ?? 0
      sum += value
      squares += value * value
    }
    this.a = a
    this.b = b
    this.c = c
    this.d = d
    return { sum, squares }
  }
}

const rotated = (bits: number, by: number): number => (bits << by) | (bits >>> (32 - by))
