import { BoundedMap } from '../../lib/bounded-map.ts'
import { operationLimits } from '../../lib/limits/operations.ts'

/** That an item is kept for a person until a time. */
interface HeldLease {
  readonly queueId: string
  readonly itemId: string
  readonly userId: string
  readonly untilMs: number
}

/** A lease with the time since which the person has had the item. */
interface KnownLease extends HeldLease {
  readonly sinceMs: number
}

/**
 * Who is working on which item. Leases live in memory: after a restart every item is free, and an
 * answer that comes late is refused, so no item gets more answers than asked for. See
 * docs/decisions/249-leases-of-reviewers.md.
 */
export class Leases {
  private readonly held = new Map<string, KnownLease>()
  /** When each person finished an item of a queue last. */
  private readonly finished = new BoundedMap<string, number>(operationLimits.reviewersKept)

  /** Begins or renews a lease. */
  hold(lease: HeldLease, nowMs: number): void {
    const key = keyOf(lease)
    const known = this.held.get(key)
    const sinceMs = known !== undefined && known.untilMs > nowMs ? known.sinceMs : nowMs
    this.held.set(key, { ...lease, sinceMs })
  }

  end(lease: Omit<HeldLease, 'untilMs'>): void {
    this.held.delete(keyOf(lease))
  }

  /**
   * Since when a person has worked on an item that they hold. One that was loaded ahead waits until
   * the item before is finished.
   */
  begunMs(lease: Omit<HeldLease, 'untilMs'>, nowMs: number): number {
    const sinceMs = this.held.get(keyOf(lease))?.sinceMs ?? nowMs
    return Math.min(nowMs, Math.max(sinceMs, this.finished.get(personOf(lease)) ?? 0))
  }

  /** Ends a lease because its item is finished. */
  finish(lease: Omit<HeldLease, 'untilMs'>, nowMs: number): void {
    this.end(lease)
    this.finished.set(personOf(lease), nowMs)
  }

  /** Whether somebody holds an item. */
  isHeld(lease: Omit<HeldLease, 'untilMs'>, nowMs: number): boolean {
    return (this.held.get(keyOf(lease))?.untilMs ?? 0) > nowMs
  }

  /** Leases in a queue; those that have ended are forgotten. */
  of(queueId: string, nowMs: number): readonly HeldLease[] {
    for (const [key, { untilMs }] of this.held) if (untilMs <= nowMs) this.held.delete(key)
    return [...this.held.values()].filter((lease) => lease.queueId === queueId)
  }
}

// Ids contain no line breaks.
const keyOf = ({ queueId, itemId, userId }: Omit<HeldLease, 'untilMs'>): string => [queueId, itemId, userId].join('\n')
const personOf = ({ queueId, userId }: Pick<HeldLease, 'queueId' | 'userId'>): string => `${queueId}\n${userId}`
