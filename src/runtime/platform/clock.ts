/** The source of time; tests use their own. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }

/** Strictly increasing times within the process, so that later events also sort later. */
export class MonotonicClock {
  private readonly clock: Clock
  private lastMicros = 0

  constructor(clock: Clock) {
    this.clock = clock
  }

  /**
   * Microseconds since 1970 UTC: the first of `count` consecutive times reserved for the caller.
   */
  nowMicros(count = 1): number {
    const first = Math.max(this.clock.nowMs() * 1000, this.lastMicros + 1)
    this.lastMicros = first + count - 1
    return first
  }
}
