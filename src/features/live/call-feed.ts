import { limits } from '../../limits.ts'
import { delay } from '../../platform/event-loop.ts'
import { Mutex } from '../../store/mutex.ts'
import type { EventKind, LiveCall } from './live-call.ts'
import type { LiveCallsReader } from './live-calls-reader.ts'

/** That something happened to a call; `call` is read when somebody wants it, and null where the call is gone by then. */
interface FeedEntry {
  readonly number: number
  readonly id: string
  readonly eventKind: EventKind
  readonly micros: number
  call: LiveCall | null | undefined
  /** A start whose call has ended already, of which nobody was told. */
  hasEnded: boolean
}

export interface FeedEvent extends FeedEntry {
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
  private entries: FeedEntry[] = []
  /** Number of the latest start that nobody has read, by id. */
  private readonly unreadStarts = new Map<string, number>()
  /** Calls whose end came before their start, which is still to come. */
  private readonly endedEarly = new Set<string>()
  private wakers = new Set<() => void>()
  private lastReadMs = 0
  /** Number of the last event that is not remembered. */
  private forgotten: number
  private last: number

  constructor(options: { projectId: string; reader: LiveCallsReader; eventsMax: number; after: number }) {
    this.projectId = options.projectId
    this.reader = options.reader
    this.eventsMax = options.eventsMax
    this.forgotten = options.after
    this.last = options.after
  }

  /** Number of the newest event. */
  get end(): number {
    return this.last
  }

  /** Whether everything after `number` is still known. */
  remembers(number: number): boolean {
    return number >= this.forgotten
  }

  add(number: number, id: string, eventKind: EventKind, micros: number): void {
    this.entries.push({ number, id, eventKind, micros, call: undefined, hasEnded: false })
    this.last = number
    if (eventKind === 'start') this.unreadStarts.set(id, number)
    // Forgetting in large steps keeps it cheap.
    if (this.entries.length > 2 * this.eventsMax) {
      this.forgotten = this.entries[this.eventsMax]!.number
      for (const entry of this.entries.splice(0, this.eventsMax + 1)) this.forgetStart(entry)
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
      const from = this.entries.findIndex((entry) => entry.number > number)
      const batch = from < 0 ? [] : this.entries.slice(from, from + limits.liveBatchMax)
      await this.readCalls(batch)
      const events = batch.filter((entry): entry is FeedEvent => entry.call !== null && entry.call !== undefined)
      return { events, through: batch.at(-1)?.number ?? Math.max(number, this.forgotten), missed }
    })
  }

  private async readCalls(batch: readonly FeedEntry[]): Promise<void> {
    const unread = batch.filter(({ call }) => call === undefined)
    if (unread.length === 0) return
    const pauseMs = this.lastReadMs + limits.livePauseMs - performance.now()
    if (pauseMs > 0) await delay(pauseMs)
    const calls = await this.reader.byId(this.projectId, [...new Set(unread.map(({ id }) => id))])
    for (const entry of unread) this.settle(entry, calls.get(entry.id) ?? null)
    this.lastReadMs = performance.now()
  }

  /** An end that was stored before the start of its call is told of after the start. */
  private settle(entry: FeedEntry, call: LiveCall | null): void {
    const { id, number, eventKind } = entry
    entry.call = call
    if (eventKind === 'start') {
      this.forgetStart(entry)
      entry.hasEnded = call !== null && this.endedEarly.delete(id) && call.ended_at !== null
    } else if (call === null || (this.unreadStarts.get(id) ?? 0) > number) {
      entry.call = null
      this.endedEarly.add(id)
      if (this.endedEarly.size > this.eventsMax) this.endedEarly.delete(this.endedEarly.values().next().value!)
    }
  }

  private forgetStart({ id, number }: FeedEntry): void {
    if (this.unreadStarts.get(id) === number) this.unreadStarts.delete(id)
  }
}
