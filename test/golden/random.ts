import { seededRandom } from '../../src/lib/seeded-random.ts'

/** Seeded random numbers. */
export class Random {
  private readonly next: () => number
  constructor(seed: number) {
    this.next = seededRandom(seed)
  }

  /** An integer from 0 up to, but excluding, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
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
