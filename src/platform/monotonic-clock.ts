import type { Clock } from './clock.ts'

/** Times that never repeat and never go back while the process lives, so that what happened later also sorts later. */
export class MonotonicClock {
  private readonly clock: Clock
  private lastMicros = 0

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** Microseconds since 1970 UTC; the first of `count` times that are the caller's, a microsecond apart. */
  nowMicros(count = 1): number {
    const first = Math.max(this.clock.nowMs() * 1000, this.lastMicros + 1)
    this.lastMicros = first + count - 1
    return first
  }
}
