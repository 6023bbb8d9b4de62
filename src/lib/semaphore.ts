import { abortReason } from './abort-reason.ts'

/** How soon work that waits begins after the number of places has grown. */
const placesCheckMs = 50

/**
 * Runs at most so many pieces of work at a time; further ones wait in order. The number may change
 * from time to time; it must be at least one.
 */
export class Semaphore {
  private readonly places: number | (() => number)
  private readonly whole: Semaphore | undefined
  private running = 0
  /** When each piece of work began, once it had all its places. */
  private readonly begunMs = new Set<{ readonly sinceMs: number }>()
  private waiting: (() => void)[] = []
  private check: ReturnType<typeof setTimeout> | undefined

  /** @param whole whose places its work takes, too, and leaves to others while it waits here */
  constructor(places: number | (() => number), whole?: Semaphore) {
    this.places = places
    this.whole = whole
  }

  /**
   * @param signal aborts the wait; its reason is thrown if it is a DomainError
   * @throws DomainError RequestCancelled, or the signal's reason
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.wait(signal)
    try {
      const timed = () => this.timed(work)
      return await (this.whole === undefined ? timed() : this.whole.run(timed, signal))
    } finally {
      this.running--
      this.beginNext()
    }
  }

  /** How many pieces of work have been running for longer than this. */
  runningLongerThan(ms: number): number {
    const nowMs = performance.now()
    return this.begunMs.values().reduce((count, { sinceMs }) => count + Number(nowMs - sinceMs > ms), 0)
  }

  private async timed<T>(work: () => Promise<T>): Promise<T> {
    const begun = { sinceMs: performance.now() }
    this.begunMs.add(begun)
    try {
      return await work()
    } finally {
      this.begunMs.delete(begun)
    }
  }

  private wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortReason(signal))
        return
      }
      const leave = () => {
        this.waiting = this.waiting.filter((other) => other !== begin)
        reject(abortReason(signal))
      }
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      this.waiting.push(begin)
      signal?.addEventListener('abort', leave, { once: true })
      this.beginNext()
    })
  }

  private beginNext(): void {
    const places = typeof this.places === 'number' ? this.places : this.places()
    while (this.running < places) {
      const next = this.waiting.shift()
      if (next === undefined) break
      this.running++
      next()
    }
    if (typeof this.places === 'number' || this.waiting.length === 0) return
    this.check ??= setTimeout(() => {
      this.check = undefined
      this.beginNext()
    }, placesCheckMs)
  }
}
