/** That an item is kept for a person until a time. */
interface HeldLease {
  readonly queueId: string
  readonly itemId: string
  readonly userId: string
  readonly untilMs: number
}

/**
 * Who is working on which item. Leases live in memory: after a restart every item is free, and an
 * answer that comes late is refused, so no item gets more answers than asked for. See
 * docs/decisions/249-leases-of-reviewers.md.
 */
export class Leases {
  private readonly held = new Map<string, HeldLease>()

  /** Begins or renews a lease. */
  hold(lease: HeldLease): void {
    this.held.set(keyOf(lease), lease)
  }

  end(lease: Omit<HeldLease, 'untilMs'>): void {
    this.held.delete(keyOf(lease))
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
