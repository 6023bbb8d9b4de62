import { leaseLimits } from '../../lib/limits/objects.ts'
import { memberOf } from '../../lib/present.ts'
import { type ObjectStore, ObjectStoreError } from '../../runtime/objects/object-store.ts'
import { findObject, putOwn } from '../../runtime/objects/put-own.ts'
import type { RetryPace } from '../../runtime/objects/retrying-store.ts'

/** What a lease needs. No node compares its clock with that of another. */
export interface LeaseSurroundings {
  readonly store: ObjectStore
  /** Of the object. */
  readonly name: string
  /** Who holds it, for those who look into the bucket. */
  readonly node: string
  /** Milliseconds that pass, of a clock that is never set. */
  nowMs(): number
  newNonce(): string
  readonly pace: Pick<RetryPace, 'wait'>
}

interface LeaseRecord {
  readonly node: string
  /** Whether the holder has given it back. */
  readonly isFree: boolean
}

/**
 * Who should write: one of several nodes, which renews its lease. It only keeps others from trying;
 * who can write, the epoch of the log decides. So a lease may fail, and nothing is lost. See
 * docs/decisions/277-leases-without-clocks.md.
 */
export class Lease {
  private readonly around: LeaseSurroundings
  private tag: string
  /** When the last renewal that succeeded was sent. */
  private renewedMs: number

  private constructor(around: LeaseSurroundings, tag: string, renewedMs: number) {
    this.around = around
    this.tag = tag
    this.renewedMs = renewedMs
  }

  /**
   * Waits until the lease is free: either it was released, or its holder has not renewed it for its
   * full duration, measured by the clock of this node.
   *
   * @returns undefined if the signal aborts before
   * @throws ObjectStoreError
   */
  static async acquire(around: LeaseSurroundings, signal: AbortSignal): Promise<Lease | undefined> {
    let seen: { readonly tag: string; readonly sinceMs: number } | undefined
    while (!signal.aborted) {
      const found = await findObject(around.store, around.name, { signal })
      const nowMs = around.nowMs()
      if (found !== undefined && found.tag !== seen?.tag) seen = { tag: found.tag, sinceMs: nowMs }
      const isOver = seen !== undefined && nowMs - seen.sinceMs >= leaseLimits.lastsMs
      if (found === undefined || isOver || recordOf(around.name, found.bytes).isFree) {
        const tag = await put(around, found?.tag, false)
        if (tag !== undefined) return new Lease(around, tag, nowMs)
      } else await around.pace.wait(leaseLimits.lookMs, signal)
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

  /** @returns false if another node has it; what holds it must stop then */
  async renew(): Promise<boolean> {
    const sentMs = this.around.nowMs()
    const tag = await put(this.around, this.tag, false)
    if (tag === undefined) return false
    this.tag = tag
    this.renewedMs = sentMs
    return true
  }

  /** Gives it back, so that another node takes over without waiting. */
  async release(): Promise<void> {
    await put(this.around, this.tag, true)
    this.renewedMs = Number.NEGATIVE_INFINITY
  }
}

/** @returns the tag of the lease; undefined if another node was first */
async function put(around: LeaseSurroundings, tag: string | undefined, isFree: boolean): Promise<string | undefined> {
  const { store, name, node } = around
  const text = `${JSON.stringify({ format: 1, node, isFree, nonce: around.newNonce() })}\n`
  const when = tag === undefined ? { ifAbsent: true as const } : { ifMatch: tag }
  const outcome = await putOwn(store, name, new TextEncoder().encode(text), { when })
  return outcome.isOurs ? outcome.tag : undefined
}

function recordOf(name: string, bytes: Uint8Array): LeaseRecord {
  const record: unknown = JSON.parse(new TextDecoder().decode(bytes))
  const [node, isFree] = [memberOf(record, 'node'), memberOf(record, 'isFree')]
  if (memberOf(record, 'format') !== 1 || typeof node !== 'string' || typeof isFree !== 'boolean')
    throw new ObjectStoreError('unexpected', `Cannot read ${name}: a later version of tracelake wrote it`)
  return { node, isFree }
}
