/** Numbers that are the same each time (mulberry32). */
export class SteadyRandom {
  private state: number

  constructor(seed: number) {
    this.state = seed
  }

  /** From 0 to 1. */
  fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  below(end: number): number {
    return Math.floor(this.fraction() * end)
  }
}
