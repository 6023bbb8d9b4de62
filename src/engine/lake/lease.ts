import { Mutex } from '../../lib/concurrency.ts'
import { leaseLimits } from '../../lib/limits/objects.ts'
import { memberOf } from '../../lib/present.ts'
import { type ObjectStore, ObjectStoreError, type StoredObject } from '../../runtime/objects/object-store.ts'
import { findObject, type PutOutcome, putOwn } from '../../runtime/objects/put-own.ts'
import { isPassing, type RetryPace } from '../../runtime/objects/retrying-store.ts'

/** How far a holder has come that is about to give its lease back. */
export type Leaving = 'soon' | 'now'

/** What a node sees while it waits for a lease. */
export interface LeaseWatch {
  /** The store fails. */
  onFailure?(cause: unknown): void
  /** Another node has the lease; `isRenewed` once it has been seen to renew it. */
  onHeld?(node: string, isRenewed: boolean): void
  /** The holder says that it leaves; called again if it says so in another way. */
  onLeaving?(holder: string, leaving: Leaving): void
  /** The holder is late in renewing it, so that it may be free soon. */
  onLate?(): void
}

/** What a lease needs. No node compares its clock with that of another. */
export interface LeaseSurroundings {
  readonly store: ObjectStore
  /** Of the object. */
  readonly name: string
  /** Who holds it, for those who look into the bucket. */
  readonly node: string
  /** What a node sees that waits. What they throw ends the wait. */
  readonly watch?: LeaseWatch
  /** Milliseconds that pass, of a clock that is never set. */
  nowMs(): number
  newNonce(): string
  readonly pace: Pick<RetryPace, 'wait'>
}

/**
 * Who should write: one of several nodes, which renews its lease. It only keeps others from trying;
 * who can write, the epoch of the log decides. So a lease may fail, and nothing is lost. See
 * docs/decisions/277-leases-without-clocks.md.
 */
export class Lease {
  private readonly around: LeaseSurroundings
  /** Differs from one acquisition to the next, also of the same node. */
  readonly holder: string
  private tag: string
  /** When the last renewal that succeeded was sent. */
  private renewedMs: number
  private leaving: Leaving | undefined
  /** A renewal must not run into another one of this node. */
  private readonly replacing = new Mutex()

  private constructor(around: LeaseSurroundings, held: { holder: string; tag: string; renewedMs: number }) {
    this.around = around
    this.holder = held.holder
    this.tag = held.tag
    this.renewedMs = held.renewedMs
  }

  /**
   * Waits until the lease is free: either it was released, or its holder has not renewed it for its
   * full duration, measured by the clock of this node.
   *
   * @returns undefined if the signal aborts before
   * @throws ObjectStoreError unless the failure is temporary
   */
  static async acquire(around: LeaseSurroundings, signal: AbortSignal): Promise<Lease | undefined> {
    const holder = around.newNonce()
    let seen: Seen | undefined
    let leaving: Leaving | undefined
    while (!signal.aborted) {
      try {
        const found = await findObject(around.store, around.name, { signal })
        const nowMs = around.nowMs()
        const isRenewed = found !== undefined && seen !== undefined && found.tag !== seen.tag
        leaving = undefined
        if (found !== undefined && found.tag !== seen?.tag) seen = { tag: found.tag, sinceMs: nowMs }
        if (isFree(around, found, seen, nowMs)) {
          const outcome = await put(around, { holder, tag: found?.tag, isFree: false })
          if (outcome.isOurs) return new Lease(around, { holder, tag: outcome.tag, renewedMs: nowMs })
          continue
        }
        if (found !== undefined) leaving = tell(around, found, { isRenewed, forMs: nowMs - (seen?.sinceMs ?? nowMs) })
      } catch (cause) {
        if (!isPassing(cause)) throw cause
        // The holder could not renew it either.
        seen = undefined
        if (!signal.aborted) around.watch?.onFailure?.(cause)
      }
      const lookMs = leaving === undefined ? leaseLimits.lookMs : leaseLimits.lookAtLeavingMs
      const overMs = (seen?.sinceMs ?? Number.POSITIVE_INFINITY) + leaseLimits.lastsMs - around.nowMs()
      await around.pace.wait(Math.min(lookMs, Math.max(overMs, leaseLimits.lookAtLeavingMs)), signal)
    }
    return undefined
  }

  /**
   * Whether another node cannot have taken it over by its own clock. A clock may run faster than
   * another one by the margin at most.
   */
  get isHeld(): boolean {
    return this.around.nowMs() - this.renewedMs < leaseLimits.lastsMs - leaseLimits.marginMs
  }

  /**
   * @returns false if another node has it; this node must then stop
   * @throws ObjectStoreError
   */
  async renew(): Promise<boolean> {
    const sentMs = this.around.nowMs()
    const isOurs = await this.replace(false)
    if (isOurs) this.renewedMs = sentMs
    return isOurs
  }

  /**
   * Renews it, and lets others know that it will be given back.
   *
   * @returns as `renew`
   * @throws ObjectStoreError
   */
  async announce(leaving: Leaving): Promise<boolean> {
    this.leaving = leaving
    return await this.renew()
  }

  /**
   * Gives it back, so that another node takes over without waiting.
   *
   * @throws ObjectStoreError
   */
  async release(): Promise<void> {
    this.renewedMs = Number.NEGATIVE_INFINITY
    await this.replace(true)
  }

  private replace(isFree: boolean): Promise<boolean> {
    return this.replacing.run(() => this.replaceAlone(isFree))
  }

  private async replaceAlone(isFree: boolean): Promise<boolean> {
    for (;;) {
      const outcome = await put(this.around, { holder: this.holder, tag: this.tag, isFree, leaving: this.leaving })
      if (outcome.isOurs) {
        this.tag = outcome.tag
        return true
      }
      // The object may be an earlier renewal of this node whose answer was lost.
      const { found } = outcome
      if (found === undefined || memberOf(jsonOf(found.bytes), 'holder') !== this.holder) return false
      this.tag = found.tag
    }
  }
}

/** A tag of the lease, and since when this node has seen it, by its own clock. */
interface Seen {
  readonly tag: string
  readonly sinceMs: number
}

/** Tells the watch about a lease that another node has. @returns whether that one leaves */
function tell(
  { watch }: LeaseSurroundings,
  found: StoredObject,
  { isRenewed, forMs }: { isRenewed: boolean; forMs: number },
): Leaving | undefined {
  const record = jsonOf(found.bytes)
  const leaving = memberOf(record, 'leaving')
  watch?.onHeld?.(String(memberOf(record, 'node')), isRenewed)
  if (forMs >= leaseLimits.lateMs) watch?.onLate?.()
  if (leaving !== 'soon' && leaving !== 'now') return undefined
  watch?.onLeaving?.(String(memberOf(record, 'holder')), leaving)
  return leaving
}

function isFree(
  { name }: LeaseSurroundings,
  found: StoredObject | undefined,
  seen: Seen | undefined,
  nowMs: number,
): boolean {
  if (found === undefined || (seen !== undefined && nowMs - seen.sinceMs >= leaseLimits.lastsMs)) return true
  const record = jsonOf(found.bytes)
  const isGivenBack = memberOf(record, 'isFree')
  if (memberOf(record, 'format') !== 1 || typeof isGivenBack !== 'boolean')
    throw new ObjectStoreError(
      'unexpected',
      `Cannot read ${name}: a later version of tracelake wrote it, or it is damaged and can be deleted`,
    )
  return isGivenBack
}

function put(
  { store, name, node, newNonce }: LeaseSurroundings,
  {
    holder,
    tag,
    isFree,
    leaving,
  }: { holder: string; tag: string | undefined; isFree: boolean; leaving?: Leaving | undefined },
): Promise<PutOutcome> {
  const text = `${JSON.stringify({ format: 1, node, holder, isFree, leaving, nonce: newNonce() })}\n`
  const when = tag === undefined ? { ifAbsent: true as const } : { ifMatch: tag }
  const signal = AbortSignal.timeout(leaseLimits.attemptMs)
  return putOwn(store, name, new TextEncoder().encode(text), { when, signal })
}

/** Undefined for what is no lease, and so of no holder. */
function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
