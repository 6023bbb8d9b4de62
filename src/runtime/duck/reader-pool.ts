import { abortReason } from '../../lib/abort-reason.ts'
import { DomainError } from '../../lib/errors.ts'
import { FairQueue } from '../../lib/fair-queue.ts'
import type { Semaphore } from '../../lib/semaphore.ts'
import type { Database } from './database.ts'
import { Reader } from './reader.ts'

interface Waiting {
  readonly resolve: (reader: Reader) => void
  readonly reject: (cause: unknown) => void
}

/**
 * A pool of readers. Beyond `readersMax`, callers wait, and owners take turns; beyond `waitingMax`
 * waiting callers, they are rejected. A caller that holds a reader must not wait for another one of
 * the same pool; otherwise all of them may deadlock.
 */
export class ReaderPool {
  private readonly database: Database
  private readonly readersMax: number
  private readonly waitingMax: number
  private readonly onUnreadable: (() => void) | undefined
  private readonly turns: Semaphore | undefined
  private readonly idle: Reader[] = []
  private readonly waiting = new FairQueue<Waiting>()
  private open = 0
  /** Holders that were requested to release their reader and have not done so yet. */
  private preempted = 0

  constructor(
    database: Database,
    bounds: { readersMax: number; waitingMax: number; onUnreadable?: () => void; turns?: Semaphore },
  ) {
    this.onUnreadable = bounds.onUnreadable
    this.turns = bounds.turns
    this.database = database
    this.readersMax = bounds.readersMax
    this.waitingMax = bounds.waitingMax
  }

  get stats(): { busy: number; waiting: number } {
    return { busy: this.open - this.idle.length, waiting: this.waiting.size }
  }

  /**
   * Returns true if other callers wait for a reader; the caller must then release its reader. For
   * holders that can do without it. Never returns true more often than callers wait.
   */
  requestPreemption(): boolean {
    if (this.preempted >= this.waiting.size) return false
    this.preempted++
    return true
  }

  /**
   * @param signal aborts the wait; its reason is thrown if it is a DomainError. A reader once
   *   acquired is not affected
   * @param owner whose turn it is
   * @throws DomainError Overloaded, RequestCancelled, or the signal's reason
   */
  async acquire(signal?: AbortSignal, owner = ''): Promise<Reader> {
    if (signal?.aborted) throw abortReason(signal)
    const idle = this.idle.pop()
    if (idle) return idle
    if (this.open < this.readersMax) {
      this.open++
      try {
        const connection = await this.database.connect()
        return new Reader(connection, this.onUnreadable, this.turns, this.database.footers)
      } catch (cause) {
        this.open--
        throw cause
      }
    }
    if (this.waiting.size >= this.waitingMax) {
      throw new DomainError('Overloaded', 'Too many queries are waiting; try again later')
    }
    return await this.wait(signal, owner)
  }

  release(reader: Reader): void {
    this.preempted = Math.max(0, this.preempted - 1)
    const next = this.waiting.take()
    if (next) next.resolve(reader)
    else this.idle.push(reader)
  }

  /** Closes a reader whose connection may be broken. */
  discard(reader: Reader): void {
    reader.close()
    this.open--
    this.preempted = Math.max(0, this.preempted - 1)
    const next = this.waiting.take()
    if (next) this.acquire().then(next.resolve, next.reject)
  }

  close(): void {
    for (const reader of this.idle.splice(0)) reader.close()
  }

  private wait(signal: AbortSignal | undefined, owner: string): Promise<Reader> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.remove(owner, waiting)
        reject(abortReason(signal))
      }
      const stay = () => signal?.removeEventListener('abort', leave)
      const waiting: Waiting = {
        resolve: (reader) => {
          stay()
          resolve(reader)
        },
        reject: (cause) => {
          stay()
          reject(cause)
        },
      }
      this.waiting.add(owner, waiting)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
}
