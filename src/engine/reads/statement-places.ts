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
  /** Milliseconds of a clock that never goes back. */
  readonly nowMs: () => number
  /** How many the threads allow. */
  readonly most = Math.max(1, threadsThatWait() - readLimits.threadsLeft)
  private readonly isFlushBehind: () => boolean
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

/** What statements of readers wait for. */
export interface StatementTurns {
  readonly lookups: Semaphore
  /** A turn for each piece of a stream. */
  readonly streams: Semaphore
  /** Of statements that read many files, before they take one of the other turns. */
  readonly scans: Semaphore
}

/**
 * The turns of statements at these places. Streams leave one to lookups. Where there are fewer than
 * the threads allow, statements that have been running for long no longer count, so that short ones
 * do not wait for their end.
 */
export function statementTurns(places: Pick<StatementPlaces, 'count' | 'most' | 'nowMs'>): StatementTurns {
  const { nowMs } = places
  const besideLong = () => {
    const { count, most } = places
    const pieces = streams.runningMs.filter((ms) => ms > readLimits.longStatementMs)
    return Math.min(most, count + pieces.length + uncounted(lookups.runningMs, count))
  }
  const whole: Semaphore = new Semaphore(besideLong)
  const lookups: Semaphore = new Semaphore(Number.POSITIVE_INFINITY, { whole, nowMs })
  const streams: Semaphore = new Semaphore(() => Math.max(1, places.count - 1), { whole, nowMs })
  const scans = new Semaphore(() => Math.min(readLimits.scansAtOnceMax, places.count), { ofOwnerMax: 1 })
  return { lookups, streams, scans }
}

/**
 * How many statements of lookups no longer count beside so many places: as many as there are places
 * after a second, as many again after four seconds, then after sixteen and so on.
 *
 * @param runningMs for how long they have been running, the longest first
 */
function uncounted(runningMs: readonly number[], places: number): number {
  const { longStatementMs, longStatementGrowth } = readLimits
  const first = runningMs.findIndex(
    (ms, index) => ms <= longStatementMs * longStatementGrowth ** Math.floor(index / places),
  )
  return first === -1 ? runningMs.length : first
}
