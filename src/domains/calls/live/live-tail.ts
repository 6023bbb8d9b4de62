import { DomainError } from '../../../lib/errors.ts'
import { responseLimits } from '../../../lib/limits/responses.ts'
import type { Log } from '../../../runtime/log.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { CallFeed, FeedEvent } from './call-feed.ts'
import {
  type EventKind,
  eventText,
  isStatusWanted,
  isWanted,
  type LiveCall,
  type LiveCallsReader,
  type LiveFilter,
  messageText,
} from './live-call.ts'

/** Position of a live tail: the last event it has seen. */
interface EventPlace {
  /** Identifies the server process that numbered the event. */
  readonly serverEpoch: string
  readonly number: number
  /** When the server stored what the event reports, in microseconds. */
  readonly micros: number
}

/**
 * Epoch of events read from the store; no process has it. Resuming from such an event reads the
 * store again.
 */
const storedEpoch = '00000000'

const eventIdOf = ({ serverEpoch, number, micros }: EventPlace): string => `${serverEpoch}-${number}-${micros}`

/** Parses an event id; undefined for any other text. */
export function parseEventId(text: string): EventPlace | undefined {
  const [, serverEpoch, number, micros] = /^([0-9a-f]{8})-(\d{1,15})-(\d{1,16})$/.exec(text) ?? []
  if (serverEpoch === undefined) return undefined
  return { serverEpoch, number: Number(number), micros: Number(micros) }
}

export interface LiveTailOptions {
  readonly reader: ProjectReader
  readonly filter: LiveFilter
  readonly feed: CallFeed
  readonly calls: LiveCallsReader
  /** Epoch of this server process. */
  readonly serverEpoch: string
  readonly eventsMax: number
  readonly resume: EventPlace | undefined
  readonly nameOf: (member: string) => string
  /** @throws DomainError once the client has lost access */
  readonly checkAccess: () => Promise<unknown>
  readonly onEnd: () => void
  readonly log: Log
}

/**
 * One client's event stream. Events are produced only as the client reads: a slow client falls
 * behind in the feed and is dropped when the feed has discarded what it has not seen. See
 * docs/decisions/036-live-tail.md.
 */
export class LiveTail {
  readonly stream: ReadableStream<Uint8Array>
  private readonly options: LiveTailOptions
  private controller!: ReadableStreamDefaultController<Uint8Array>
  private cursor: number
  /** The client has read everything and waits for more. */
  private isWaiting = false
  private isEnded = false
  private checkedAtMs = performance.now()

  constructor(options: LiveTailOptions) {
    this.options = options
    this.cursor = options.feed.end
    const pieces = this.pieces()
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.controller = controller
        },
        pull: () => this.pull(pieces),
        cancel: () => this.finish(),
      },
      { highWaterMark: 0 },
    )
  }

  /** Drops the client if the feed has discarded events it has not read. */
  dropIfBehind(): void {
    if (!this.isWaiting && !this.options.feed.remembers(this.cursor)) {
      this.end('dropped', 'the client is too slow: unread events have been discarded')
    }
  }

  /** Reports the reason and ends the stream. */
  end(event: 'dropped' | 'shutdown', reason: string): void {
    if (this.isEnded) return
    this.finish()
    this.controller.enqueue(encoder.encode(messageText(event, { reason })))
    this.controller.close()
    // No effect on a stream that was read to its end.
    const waitMs = event === 'shutdown' ? responseLimits.liveLastWordAtStopMs : responseLimits.liveLastWordMs
    setTimeout(() => this.controller.error(new Error(reason)), waitMs)
  }

  private finish(): void {
    if (this.isEnded) return
    this.isEnded = true
    this.options.onEnd()
    this.options.feed.wake()
  }

  private async pull(pieces: AsyncGenerator<string>): Promise<void> {
    this.isWaiting = true
    try {
      const { value, done } = await pieces.next()
      if (!this.isEnded && !done) this.controller.enqueue(encoder.encode(value))
    } catch (cause) {
      if (!(cause instanceof DomainError)) this.options.log.error({ err: cause }, 'live tail failed')
      this.end('dropped', cause instanceof DomainError ? cause.message : 'the server could not continue the stream')
    } finally {
      this.isWaiting = false
    }
  }

  private async *pieces(): AsyncGenerator<string> {
    // The comment makes the response start immediately.
    yield 'retry: 2000\n: live\n\n'
    yield* this.catchUp()
    const { feed, filter } = this.options
    let sentAtMs = performance.now()
    while (!this.isEnded) {
      await feed.waitBeyond(this.cursor, Math.max(0, sentAtMs + responseLimits.liveHeartbeatMs - performance.now()))
      if (this.isEnded) return
      const { events, through, missed } = await feed.next(this.cursor)
      this.cursor = through
      await this.checkAccessNowAndThen()
      const wanted = await this.meetingConditions(events.filter(({ call }) => isWanted(call, filter)))
      const text = wanted.map((event) => this.textOf(event)).join('')
      const isDue = performance.now() >= sentAtMs + responseLimits.liveHeartbeatMs
      const piece = `${missed ? gap : ''}${text}` || (isDue ? ': heartbeat\n\n' : '')
      if (piece === '') continue
      sentAtMs = performance.now()
      yield piece
    }
  }

  /**
   * The events since the client's last one: from the feed if still buffered, else from the store.
   */
  private async *catchUp(): AsyncGenerator<string> {
    const { resume, feed, serverEpoch, reader, calls, eventsMax, filter } = this.options
    if (resume === undefined) return
    if (resume.serverEpoch === serverEpoch && resume.number <= this.cursor && feed.remembers(resume.number)) {
      this.cursor = resume.number
      return
    }
    const found = await calls.writtenAfter(reader, resume.micros - responseLimits.liveOverlapMs * 1000, eventsMax + 1)
    if (found.length > eventsMax) {
      yield messageText('reset', { reason: 'too many events since Last-Event-ID; query the calls instead' })
      return
    }
    const wanted = found.filter((call) => isWanted(call, filter)).map((call) => ({ call }))
    for (let from = 0; from < wanted.length; from += responseLimits.liveBatchMax) {
      const batch = await this.meetingConditions(wanted.slice(from, from + responseLimits.liveBatchMax))
      yield batch.map(({ call }) => this.eventsOf(call)).join('')
    }
  }

  /** Those of a batch of events whose calls meet the conditions that only the store can check. */
  private async meetingConditions<Event extends { readonly call: LiveCall }>(events: Event[]): Promise<Event[]> {
    const { calls, filter } = this.options
    if (filter.plan === undefined || events.length === 0) return events
    const ids = await calls.matching(filter.plan, [...new Set(events.map(({ call }) => call.id))])
    return events.filter(({ call }) => ids.has(call.id))
  }

  private textOf({ eventKind, call, number, micros, hasEnded }: FeedEvent): string {
    const { serverEpoch, nameOf, filter, feed } = this.options
    const text = (what: EventKind, at: number) =>
      isStatusWanted(what, call, filter)
        ? feed.textOf(what, call, eventIdOf({ serverEpoch, number: at, micros }), nameOf)
        : ''
    // A client that disconnects between the two gets both again.
    return hasEnded ? text('start', number - 1) + text('end', number) : text(eventKind, number)
  }

  /** Events of a call of which only the current state is known. */
  private eventsOf(call: LiveCall): string {
    const { nameOf, filter } = this.options
    const eventId = eventIdOf({ serverEpoch: storedEpoch, number: 0, micros: call.written_at })
    const kinds: EventKind[] = call.ended_at === null ? ['start'] : ['start', 'end']
    const shown = kinds.filter((kind) => isStatusWanted(kind, call, filter))
    return shown.map((kind) => eventText(kind, call, eventId, nameOf)).join('')
  }

  private async checkAccessNowAndThen(): Promise<void> {
    if (performance.now() < this.checkedAtMs + responseLimits.liveHeartbeatMs) return
    await this.options.checkAccess()
    this.checkedAtMs = performance.now()
  }
}

const encoder = new TextEncoder()
const gap = messageText('gap', { reason: 'too many events at once; some were skipped' })
