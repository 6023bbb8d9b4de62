/** Lets waiting requests run. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Waits for `ms`, or until the signal aborts. Returns whether the time has passed. */
export function delay(ms: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve(signal?.aborted !== true)
    }
    const timer = setTimeout(finish, ms)
    signal?.addEventListener('abort', finish)
    if (signal?.aborted) finish()
  })
}

/** How long work may block the event loop before it yields. */
const sliceMs = 8

/** Lets work in many small steps yield regularly: `if (slice.expired) await slice.yield()`. */
export class TimeSlice {
  private startedMs = performance.now()
  private steps = 0

  get expired(): boolean {
    this.steps++
    // Reading the clock costs as much as a small step.
    return this.steps % 64 === 0 && performance.now() - this.startedMs > sliceMs
  }

  /** For larger steps: reads the clock each time. */
  get expiredNow(): boolean {
    return performance.now() - this.startedMs > sliceMs
  }

  async yieldIfExpired(): Promise<void> {
    if (this.expiredNow) await this.yield()
  }

  async yield(): Promise<void> {
    await yieldToEventLoop()
    this.startedMs = performance.now()
  }
}
