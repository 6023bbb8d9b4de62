import { parseErrorInside } from '../../../engine/tables/call-lineage.ts'
import { BoundedMap } from '../../../lib/bounded-map.ts'
import { Mutex } from '../../../lib/concurrency.ts'
import { responseLimits } from '../../../lib/limits/responses.ts'
import { itemAt } from '../../../lib/present.ts'
import { delay } from '../../../runtime/platform/event-loop.ts'
import { type EventKind, eventText, type LiveCall, type LiveCallsReader } from './live-call.ts'

/** Something happened to a call; `call` is read on demand, and null if the call is gone by then. */
interface FeedEntry {
  readonly number: number
  readonly id: string
  readonly eventKind: EventKind
  readonly micros: number
  call: LiveCall | null | undefined
  /** A start whose call has already ended without a separate notification. */
  hasEnded: boolean
  /** Calls above that had ended before this one failed: their status has changed. */
  above: readonly LiveCall[]
}

export interface FeedEvent extends FeedEntry {
  readonly call: LiveCall
}

/**
 * Recent events of one project in log order. Recording one costs a small object; calls are read
 * from the store for all listeners together, in batches of some hundred, and never by writers.
 */
export class CallFeed {
  private readonly projectId: string
  private readonly reader: LiveCallsReader
  private readonly eventsMax: number
  private readonly reading = new Mutex()
  private entries: FeedEntry[] = []
  /** Number of the latest unread start, by call id. */
  private readonly unreadStarts = new Map<string, number>()
  /** Calls whose end arrived before their start. */
  private readonly endedEarly = new Set<string>()
  /** Texts of the latest events, which each tail sends in turn. */
  private readonly texts = new BoundedMap<string, string>(4 * responseLimits.liveBatchMax)
  private wakers = new Set<() => void>()
  private nextReadMs = 0
  /** Number of the last discarded event. */
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

  /** Whether all events after `number` are still available. */
  remembers(number: number): boolean {
    return number >= this.forgotten
  }

  add(number: number, id: string, eventKind: EventKind, micros: number): void {
    this.entries.push({ number, id, eventKind, micros, call: undefined, hasEnded: false, above: [] })
    this.last = number
    if (eventKind === 'start') this.unreadStarts.set(id, number)
    // Discarding in large steps keeps it cheap.
    if (this.entries.length > 2 * this.eventsMax) {
      this.forgotten = itemAt(this.entries, this.eventsMax).number
      for (const entry of this.entries.splice(0, this.eventsMax + 1)) this.forgetStart(entry)
    }
  }

  /** Wakes up listeners. */
  wake(): void {
    for (const waker of this.wakers) waker()
    this.wakers.clear()
  }

  /** Waits until there is an event after `number`, or until `wake` or the timeout. */
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

  /**
   * The next events after `number`; `through` is where to continue, `missed` whether some were
   * discarded in between.
   */
  async next(number: number): Promise<{ events: FeedEvent[]; through: number; missed: boolean }> {
    return await this.reading.run(async () => {
      const missed = !this.remembers(number)
      const from = this.entries.findIndex((entry) => entry.number > number)
      const batch = from < 0 ? [] : this.entries.slice(from, from + responseLimits.liveBatchMax)
      await this.readCalls(batch)
      const events = batch
        .filter((entry): entry is FeedEvent => entry.call !== null && entry.call !== undefined)
        .flatMap((entry) => [entry, ...entry.above.map((call) => ({ ...entry, id: call.id, call }))])
      return { events, through: batch.at(-1)?.number ?? Math.max(number, this.forgotten), missed }
    })
  }

  /** The text of an event, which is the same for every tail: all clients have the same names. */
  textOf(eventKind: EventKind, call: LiveCall, eventId: string, nameOf: (member: string) => string): string {
    const key = `${eventKind} ${eventId} ${call.id}`
    let text = this.texts.get(key)
    if (text === undefined) {
      text = eventText(eventKind, call, eventId, nameOf)
      this.texts.set(key, text)
    }
    return text
  }

  private async readCalls(batch: readonly FeedEntry[]): Promise<void> {
    const unread = batch.filter(({ call }) => call === undefined)
    if (unread.length === 0) return
    const waitMs = this.nextReadMs - performance.now()
    if (waitMs > 0) await delay(waitMs)
    const beganMs = performance.now()
    const calls = await this.reader.byId(this.projectId, [...new Set(unread.map(({ id }) => id))])
    for (const entry of unread) this.settle(entry, calls.get(entry.id) ?? null)
    await this.readAbove(unread)
    const endedMs = performance.now()
    const { livePauseMs, livePauseMsMax, livePauseFactor } = responseLimits
    const pauseMs = Math.max(livePauseMs, livePauseFactor * (endedMs - beganMs))
    this.nextReadMs = endedMs + Math.min(pauseMs, livePauseMsMax)
  }

  /** Reads the calls that learn of an error only after their own end. */
  private async readAbove(unread: readonly FeedEntry[]): Promise<void> {
    const ends = unread.filter(({ eventKind }) => eventKind === 'end')
    const failed = ends.filter(({ call }) => call?.exception)
    const found = new Map<string, LiveCall>()
    const parentOf = (call: LiveCall | null | undefined): string[] =>
      typeof call?.parent_id === 'string' && !found.has(call.parent_id) ? [call.parent_id] : []
    let ids = new Set(failed.flatMap(({ call }) => parentOf(call)))
    for (let level = 0; level < responseLimits.liveLevelsMax && ids.size > 0; level++) {
      const calls = await this.reader.byId(this.projectId, [...ids])
      for (const [id, call] of calls) found.set(id, call)
      ids = new Set([...calls.values()].filter(({ ended_at }) => ended_at !== null).flatMap(parentOf))
    }
    const reported = new Set<unknown>(ends.map(({ id }) => id))
    for (const entry of failed) {
      entry.above = [...found.values()].filter(
        ({ id, ended_at, status, error_inside }) =>
          ended_at !== null &&
          status === 'descendant_error' &&
          !reported.has(id) &&
          parseErrorInside(error_inside)?.call_id === entry.id,
      )
      for (const { id } of entry.above) reported.add(id)
    }
  }

  /** An end that was stored before its start is reported after the start. */
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
