import process from 'node:process'

/** Seeded random numbers (mulberry32). */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** From 0 up to, but excluding, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let t = this.state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  /** An integer from 0 up to, but excluding, `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  /** An integer from `min` through `max`. */
  between(min: number, max: number): number {
    return min + this.below(max - min + 1)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }
}

/** The seed in `TRACELAKE_TEST_SEED`, otherwise `otherwise`. */
export function seedOr(otherwise: number): number {
  const named = process.env['TRACELAKE_TEST_SEED']
  return named === undefined || named === '' ? otherwise : Number(named)
}
