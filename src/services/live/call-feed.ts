import { limits } from '../../limits.ts'
import { Mutex } from '../../store/mutex.ts'
import type { Happening, LiveCall } from './live-call.ts'
import type { LiveCallsReader } from './live-calls-reader.ts'

/** That something happened to a call; `call` is read when somebody wants it, and null where the call is gone by then. */
interface Notice {
  readonly number: number
  readonly id: string
  readonly happening: Happening
  readonly micros: number
  call: LiveCall | null | undefined
}

export interface FeedEvent extends Notice {
  readonly call: LiveCall
}

/**
 * The latest happenings of one project, in the order of the log. Taking note of one costs a small object; calls are read from the
 * store for all listeners together, some hundred at a time, and never by whoever writes.
 */
export class CallFeed {
  private readonly projectId: string
  private readonly reader: LiveCallsReader
  private readonly eventsMax: number
  private readonly reading = new Mutex()
  private notices: Notice[] = []
  private wakers = new Set<() => void>()
  private lastReadMs = 0
  /** Number of the last happening that is not remembered. */
  private forgotten: number
  private last: number

  constructor(options: { projectId: string; reader: LiveCallsReader; eventsMax: number; after: number }) {
    this.projectId = options.projectId
    this.reader = options.reader
    this.eventsMax = options.eventsMax
    this.forgotten = options.after
    this.last = options.after
  }

  /** Number of the newest happening. */
  get end(): number {
    return this.last
  }

  /** Whether everything after `number` is still known. */
  remembers(number: number): boolean {
    return number >= this.forgotten
  }

  add(number: number, id: string, happening: Happening, micros: number): void {
    this.notices.push({ number, id, happening, micros, call: undefined })
    this.last = number
    // Forgetting in large steps keeps it cheap.
    if (this.notices.length > 2 * this.eventsMax) {
      this.forgotten = this.notices[this.eventsMax]!.number
      this.notices = this.notices.slice(this.eventsMax + 1)
    }
  }

  /** Tells whoever waits that there is something new. */
  wake(): void {
    for (const waker of this.wakers) waker()
    this.wakers.clear()
  }

  /** Waits until something happens after `number`, or `wake` or the time says otherwise. */
  async waitBeyond(number: number, timeoutMs: number): Promise<void> {
    if (this.last > number) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, timeoutMs)
      const { wakers } = this
      function done() {
        clearTimeout(timer)
        wakers.delete(done)
        resolve()
      }
      wakers.add(done)
    })
  }

  /** The next happenings after `number`; `through` is where to go on, `missed` whether some were forgotten in between. */
  async next(number: number): Promise<{ events: FeedEvent[]; through: number; missed: boolean }> {
    return await this.reading.run(async () => {
      const missed = !this.remembers(number)
      const from = this.notices.findIndex((notice) => notice.number > number)
      const batch = from < 0 ? [] : this.notices.slice(from, from + limits.liveBatchMax)
      await this.readCalls(batch)
      const events = batch.filter((notice): notice is FeedEvent => notice.call !== null && notice.call !== undefined)
      return { events, through: batch.at(-1)?.number ?? Math.max(number, this.forgotten), missed }
    })
  }

  private async readCalls(batch: readonly Notice[]): Promise<void> {
    const unread = batch.filter(({ call }) => call === undefined)
    if (unread.length === 0) return
    const pauseMs = this.lastReadMs + limits.livePauseMs - performance.now()
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const calls = await this.reader.byId(this.projectId, [...new Set(unread.map(({ id }) => id))])
    for (const notice of unread) notice.call = calls.get(notice.id) ?? null
    this.lastReadMs = performance.now()
  }
}
