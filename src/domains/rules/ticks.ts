import { delay } from '../../runtime/platform/event-loop.ts'

/**
 * Wakes rules together. What is written between two reads has to be moved into DuckDB first, so
 * reads at one time cost much less than the same reads spread over time.
 */
export class Ticks {
  private readonly everyMs: number
  private readonly pending = new Map<number, Promise<unknown>>()

  constructor(everyMs: number) {
    this.everyMs = everyMs
  }

  /** Waits until the first tick at least `ms` from now, or until the signal. */
  async after(ms: number, signal: AbortSignal): Promise<void> {
    await this.until(Math.ceil((performance.now() + ms) / this.everyMs), signal)
  }

  /**
   * Waits until the signal, or between half of the pause and twice as long: longer pauses end at
   * fewer ticks, so that rules with different pauses still meet.
   */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    const ticks = 2 ** Math.ceil(Math.log2(Math.max(1, ms / this.everyMs)))
    const earliest = (performance.now() + (ticks * this.everyMs) / 2) / this.everyMs
    await this.until(Math.ceil(earliest / ticks) * ticks, signal)
  }

  private async until(number: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const tick = this.pending.get(number) ?? this.begin(number)
    await new Promise<void>((resolve) => {
      const finish = () => {
        signal.removeEventListener('abort', finish)
        resolve()
      }
      signal.addEventListener('abort', finish)
      void tick.then(finish)
    })
  }

  private begin(number: number): Promise<unknown> {
    const tick = delay(number * this.everyMs - performance.now()).then(() => this.pending.delete(number))
    this.pending.set(number, tick)
    return tick
  }
}
