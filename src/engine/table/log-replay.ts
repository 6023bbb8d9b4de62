import { DomainError, describeDiskFault } from '../../lib/errors.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { Log } from '../../runtime/log.ts'
import type { DirtyRow } from '../memtable/memtable.ts'

/** Puts rows into the memtable; `bytes` is their size in memory. */
type Apply = (rows: readonly DirtyRow[], bytes: number) => void

interface Arrived {
  readonly rows: readonly DirtyRow[]
  readonly bytes: number
}

/**
 * Brings the rows of the write-ahead log back into memory after a start. Meanwhile the table
 * already accepts writes: they are durable once logged, and wait here for the rows that were logged
 * before them. Readers and flushes wait until everything is there. See
 * docs/decisions/145-replay-in-the-background.md.
 */
export class LogReplay {
  /** Why the log could not be replayed. Nothing may be flushed then: it would lose rows. */
  failure: string | undefined
  private running: PromiseWithResolvers<void> | undefined
  private isStarted = false
  private arrived: Arrived[] = []
  private arrivedBytes = 0
  private readonly run: () => Promise<void>
  private readonly applyNow: Apply
  private readonly log: Log

  /** @param run replays the log; undefined if there is nothing to replay */
  constructor(run: (() => Promise<void>) | undefined, apply: Apply, log: Log) {
    this.run = run ?? (async () => {})
    if (run !== undefined) this.running = Promise.withResolvers()
    this.applyNow = apply
    this.log = log
  }

  /** Begins to replay, unless that has been done or there is nothing to replay; see `done`. */
  start(): void {
    if (this.running === undefined || this.isStarted) return
    this.isStarted = true
    this.run()
      .then(() => this.finish())
      .catch((err: unknown) => {
        this.log.error({ err }, 'cannot replay the write-ahead log')
        this.failure = `the write-ahead log could not be replayed: ${describeDiskFault(err) ?? 'see the log'}`
      })
      .finally(this.running.resolve)
  }

  get isRunning(): boolean {
    return this.running !== undefined
  }

  /** Whether writers should wait until the rows of the log are in memory. */
  get isFull(): boolean {
    return this.arrivedBytes > storageLimits.arrivedDuringReplayBytesMax
  }

  /**
   * Returns once all rows of the log are in memory; begins to replay it if necessary.
   *
   * @throws DomainError StoreUnavailable if they could not be read
   */
  async done(): Promise<void> {
    this.start()
    await this.running?.promise
    if (this.failure !== undefined) throw new DomainError('StoreUnavailable', `Cannot read: ${this.failure}`)
  }

  /** Puts rows into the memtable that have just been logged, after those logged before. */
  readonly apply: Apply = (rows, bytes) => {
    if (this.running === undefined) {
      this.applyNow(rows, bytes)
      return
    }
    this.arrived.push({ rows, bytes })
    this.arrivedBytes += bytes
  }

  private finish(): void {
    this.running = undefined
    for (const { rows, bytes } of this.arrived) this.applyNow(rows, bytes)
    this.arrived = []
    this.arrivedBytes = 0
  }
}
