import { v5 as hashedUuid } from 'uuid'
import { itemAt } from '../../lib/present.ts'

const namespace = '8f0c9a52-54cb-5d0e-9b6e-3a1c2d6f7e10'

/** The same UUID for the same parts, on every run, so that sending twice stores once. */
export function stableId(...parts: readonly (string | number)[]): string {
  return hashedUuid(JSON.stringify(parts), namespace)
}

/** Numbers that look random and are the same for the same seed. */
export class SeededRandom {
  private state: number

  constructor(seed: number) {
    // Neighbouring seeds would start with neighbouring numbers.
    this.state = ((Math.abs(Math.trunc(seed)) * 7_919 + 104_729) % 2_147_483_646) + 1
    for (let i = 0; i < 4; i += 1) this.fraction()
  }

  /**
   * From 0 to 1, both excluded. Lehmer generator, "minimal standard" of Park and Miller with the
   * multiplier 48271.
   */
  fraction(): number {
    this.state = (this.state * 48_271) % 2_147_483_647
    return this.state / 2_147_483_647
  }

  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1))
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<T>(choices: readonly T[]): T {
    return itemAt(choices, this.integer(0, choices.length - 1))
  }

  /** Milliseconds around `typicalMs`, from 60 % to 140 % of it; at least 1. */
  durationMs(typicalMs: number): number {
    return Math.max(1, Math.round(typicalMs * (0.6 + 0.8 * this.fraction())))
  }
}
