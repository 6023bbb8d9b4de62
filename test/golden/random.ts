/** Seeded random numbers (mulberry32). */
export class Random {
  private state: number
  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** An integer from 0 up to, but excluding, `end`. */
  below(end: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }
}

/**
 * The seed of a test: fixed, or the one in `TRACELAKE_TEST_SEED`. It is printed, so that a failure
 * can be reproduced.
 */
export function seedOf(title: string): number {
  const seed = Number(Bun.env['TRACELAKE_TEST_SEED'] ?? 20_260_701)
  console.log(`${title}: seed ${seed}`)
  return seed
}
