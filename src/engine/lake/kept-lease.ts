import { leaseLimits } from '../../lib/limits/objects.ts'
import type { Log } from '../../runtime/log.ts'
import { ObjectStoreError } from '../../runtime/objects/object-store.ts'
import { Lease, type LeaseSurroundings, type Leaving } from './lease.ts'

/**
 * What a node knows of its lease:
 * - `held`: no other node can have it.
 * - `away`: the store does not answer, so the lease can hardly be renewed, nor taken by another
 *   node.
 * - `late`: it was not renewed in time, for example because the process was paused. Another node
 *   may have it; the next renewal will show.
 * - `lost`: another node has it.
 */
export type LeaseState = 'held' | 'away' | 'late' | 'lost'

/** A lease that is renewed for as long as the node serves. */
export class KeptLease {
  /** Resolves once another node has it. */
  readonly lost: Promise<void>
  private readonly lease: Lease
  private readonly around: LeaseSurroundings
  private readonly log: Log
  private readonly stopping = new AbortController()
  private readonly keeping: Promise<void>
  private isLost = false
  private failedMs: number | undefined
  private reportLost: () => void = () => {}

  private constructor(lease: Lease, around: LeaseSurroundings, log: Log) {
    this.lease = lease
    this.around = around
    this.log = log
    this.lost = new Promise((resolve) => {
      this.reportLost = resolve
    })
    this.keeping = this.keep()
  }

  /** Waits for the lease. @returns undefined if the signal aborts before */
  static async acquire(around: LeaseSurroundings, log: Log, signal: AbortSignal): Promise<KeptLease | undefined> {
    const lease = await Lease.acquire(around, signal)
    return lease && new KeptLease(lease, around, log)
  }

  get state(): LeaseState {
    if (this.isLost) return 'lost'
    if (this.lease.isHeld) return 'held'
    const { failedMs = Number.NEGATIVE_INFINITY } = this
    return this.around.nowMs() - failedMs < leaseLimits.failureLastsMs ? 'away' : 'late'
  }

  /** Names this acquisition to those who wait. */
  get holder(): string {
    return this.lease.holder
  }

  /** Lets others know that it will be given back. If that fails, they find out when it is. */
  async announce(leaving: Leaving): Promise<void> {
    if (this.isLost) return
    await this.lease
      .announce(leaving)
      .catch((err: unknown) => this.log.warn({ err }, 'could not announce that this node leaves'))
  }

  /** Gives it back, once nothing is written any more. If that fails, it expires. */
  async release(): Promise<void> {
    this.stopping.abort()
    await this.keeping
    if (this.isLost) return
    await this.lease
      .release()
      .catch((err: unknown) => this.log.warn({ err }, 'could not give the lease back; others wait until it expires'))
  }

  private async keep(): Promise<void> {
    const { signal } = this.stopping
    for (let pauseMs: number = leaseLimits.renewMs; await this.around.pace.wait(pauseMs, signal); ) {
      try {
        if (!(await this.lease.renew())) break
        if (this.failedMs !== undefined) this.log.info('the object store answers again')
        this.failedMs = undefined
        pauseMs = leaseLimits.renewMs
      } catch (err) {
        if (!(err instanceof ObjectStoreError)) throw err
        if (this.failedMs === undefined) this.log.warn({ err }, 'cannot renew the lease of this node')
        this.failedMs = this.around.nowMs()
        pauseMs = leaseLimits.lookMs
      }
    }
    if (signal.aborted) return
    this.isLost = true
    this.reportLost()
  }
}
