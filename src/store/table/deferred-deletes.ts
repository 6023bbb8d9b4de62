import type { Clock } from '../../platform/clock.ts'

interface Garbage {
  /** Whether no reader of this process holds it. */
  readonly isUnreferenced: () => boolean
  readonly remove: () => Promise<void>
}

interface GarbageEntry extends Garbage {
  readonly retainUntilMs: number
}

/** Tables and files that the newest state no longer needs, kept until no reader holds them, and some for a while beyond that. */
export class DeferredDeletes {
  private readonly clock: Clock
  private entries: GarbageEntry[] = []
  private readonly removals = new Set<Promise<void>>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** @param keptMs how long it stays even if it is free: for readers that this process does not know */
  add(entry: Garbage, { retentionMs }: { retentionMs: number }): void {
    this.entries.push({ ...entry, retainUntilMs: this.clock.nowMs() + retentionMs })
  }

  /** Removes what is free and has stayed for as long as it was to. */
  async sweep(): Promise<void> {
    const nowMs = this.clock.nowMs()
    await this.removeAll(this.entries.filter((entry) => entry.isUnreferenced() && entry.retainUntilMs <= nowMs))
  }

  /** Removes all that is free, however short it has stayed, and waits for removals under way. */
  async sweepAll(): Promise<void> {
    await this.removeAll(this.entries.filter((entry) => entry.isUnreferenced()))
    await Promise.all(this.removals)
  }

  private async removeAll(chosen: readonly GarbageEntry[]): Promise<void> {
    if (chosen.length === 0) return
    this.entries = this.entries.filter((entry) => !chosen.includes(entry))
    const removal = this.removeEach(chosen)
    this.removals.add(removal)
    try {
      await removal
    } finally {
      this.removals.delete(removal)
    }
  }

  /** What cannot be removed comes back, for the next sweep. */
  private async removeEach(chosen: readonly GarbageEntry[]): Promise<void> {
    for (const [index, entry] of chosen.entries()) {
      try {
        await entry.remove()
      } catch (cause) {
        this.entries.push(...chosen.slice(index))
        throw cause
      }
    }
  }
}
