import { abortReason } from './abort-reason.ts'
import { FairQueue } from './fair-queue.ts'

/** How soon work that waits begins after the number of places has grown. */
const placesCheckMs = 50

interface Options {
  /** Its work also takes places of this one, and leaves them to others while it waits here. */
  readonly whole?: Semaphore
  /** How many pieces of work of one owner run at a time. */
  readonly ofOwnerMax?: number
  /** Milliseconds of a clock that never goes back. */
  readonly nowMs?: () => number
}

/** A piece of work that waits, or runs. */
interface Piece {
  readonly owner: string
  readonly begin: () => void
}

/**
 * Runs at most so many pieces of work at a time. The others wait in a queue per owner, and owners
 * get turns one after the other, however many pieces each of them has. The number may change from
 * time to time; it must be at least one.
 */
export class Semaphore {
  private readonly places: number | (() => number)
  private readonly whole: Semaphore | undefined
  private readonly ofOwnerMax: number
  private readonly nowMs: () => number
  private readonly running = new Set<Piece>()
  /** When each piece of work began, once it had all its places, in this order. */
  private readonly begunMs = new Set<{ readonly sinceMs: number }>()
  private readonly waiting = new FairQueue<Piece>()
  private check: ReturnType<typeof setTimeout> | undefined

  constructor(places: number | (() => number), options: Options = {}) {
    this.places = places
    this.whole = options.whole
    this.ofOwnerMax = options.ofOwnerMax ?? Number.POSITIVE_INFINITY
    this.nowMs = options.nowMs ?? (() => performance.now())
  }

  /**
   * @param signal aborts the wait; its reason is thrown if it is a DomainError
   * @param owner whose turn it is
   * @throws DomainError RequestCancelled, or the signal's reason
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal, owner = ''): Promise<T> {
    const piece = await this.wait(owner, signal)
    try {
      const timed = () => this.timed(work)
      return await (this.whole === undefined ? timed() : this.whole.run(timed, signal, owner))
    } finally {
      this.running.delete(piece)
      this.beginNext()
    }
  }

  /** For how long each piece of work has been running, the longest first. */
  get runningMs(): number[] {
    const nowMs = this.nowMs()
    return Array.from(this.begunMs, ({ sinceMs }) => nowMs - sinceMs)
  }

  private async timed<T>(work: () => Promise<T>): Promise<T> {
    const begun = { sinceMs: this.nowMs() }
    this.begunMs.add(begun)
    try {
      return await work()
    } finally {
      this.begunMs.delete(begun)
    }
  }

  private wait(owner: string, signal: AbortSignal | undefined): Promise<Piece> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortReason(signal))
        return
      }
      const leave = () => {
        this.waiting.remove(owner, piece)
        reject(abortReason(signal))
      }
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve(piece)
      }
      const piece: Piece = { owner, begin }
      this.waiting.add(owner, piece)
      signal?.addEventListener('abort', leave, { once: true })
      this.beginNext()
    })
  }

  private beginNext(): void {
    const places = typeof this.places === 'number' ? this.places : this.places()
    while (this.running.size < places) {
      const next = this.waiting.take((owner) => this.runningOf(owner) < this.ofOwnerMax)
      if (next === undefined) break
      this.running.add(next)
      next.begin()
    }
    if (typeof this.places === 'number' || this.waiting.size === 0) return
    this.check ??= setTimeout(() => {
      this.check = undefined
      this.beginNext()
    }, placesCheckMs)
  }

  private runningOf(owner: string): number {
    return this.running.values().reduce((count, piece) => count + Number(piece.owner === owner), 0)
  }
}
