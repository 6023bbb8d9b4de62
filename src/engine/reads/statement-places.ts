import { readLimits } from '../../lib/limits/reads.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import { processors, threadsThatWait } from '../../runtime/platform/processes/threads.ts'

interface Pressure {
  /** Whether a flush cannot keep up. */
  readonly isFlushBehind: () => boolean
  /** Milliseconds of a clock that never goes back. */
  readonly nowMs?: () => number
}

/**
 * How many statements of readers run at a time: fewer while writes or a flush are behind, since
 * they share the processors. See docs/decisions/294-writes-before-reads.md.
 */
export class StatementPlaces {
  /** Whether writes cannot keep up. */
  isIngestBehind: () => boolean = () => false
  /** How many the threads allow. */
  readonly most = Math.max(1, threadsThatWait() - readLimits.threadsLeft)
  private readonly isFlushBehind: () => boolean
  private readonly nowMs: () => number
  private yieldsUntilMs = Number.NEGATIVE_INFINITY
  private readonly besideFlush = Math.max(readLimits.statementsBesideFlush, Math.floor(processors() / 2))
  private readonly besideIngest = Math.max(1, Math.floor(processors() / 2))

  constructor({ isFlushBehind, nowMs = () => performance.now() }: Pressure) {
    this.isFlushBehind = isFlushBehind
    this.nowMs = nowMs
  }

  get count(): number {
    const nowMs = this.nowMs()
    if (this.isIngestBehind()) this.yieldsUntilMs = nowMs + readLimits.yieldToIngestMs
    if (nowMs < this.yieldsUntilMs) return this.besideIngest
    return this.isFlushBehind() ? this.besideFlush : this.most
  }
}

/**
 * The turns of the statements of lookups, and of the pieces of streams, at these places. Streams
 * leave one to lookups; where there are fewer than the threads allow, a piece of a stream that has
 * been running for long no longer counts.
 */
export function statementTurns(places: Pick<StatementPlaces, 'count' | 'most'>): {
  readonly lookups: Semaphore
  readonly streams: Semaphore
} {
  const besideLong = () => Math.min(places.most, places.count + streams.runningLongerThan(readLimits.longPieceMs))
  const lookups = new Semaphore(besideLong)
  const streams: Semaphore = new Semaphore(() => Math.max(1, places.count - 1), lookups)
  return { lookups, streams }
}
