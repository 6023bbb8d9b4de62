import type { Clock } from '../../runtime/platform/clock.ts'

interface Garbage {
  /** Whether no reader of this process holds it. */
  readonly isUnreferenced: () => boolean
  readonly remove: () => Promise<void>
}

interface GarbageEntry extends Garbage {
  readonly retainUntilMs: number
}

/**
 * Tables and files that the current state no longer needs. They are deleted once no reader holds
 * them, some of them after a retention time. See docs/decisions/059-retention-of-replaced-files.md.
 */
export class DeferredDeletes {
  private readonly clock: Clock
  private entries: GarbageEntry[] = []
  private readonly removals = new Set<Promise<void>>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** @param retentionMs minimum time it is kept, for readers unknown to this process */
  add(entry: Garbage, { retentionMs }: { retentionMs: number }): void {
    this.entries.push({ ...entry, retainUntilMs: this.clock.nowMs() + retentionMs })
  }

  /** Removes entries that are unreferenced and past their retention time. */
  async sweep(): Promise<void> {
    const nowMs = this.clock.nowMs()
    await this.removeAll(this.entries.filter((entry) => entry.isUnreferenced() && entry.retainUntilMs <= nowMs))
  }

  /**
   * Removes unreferenced entries, with `isEarly` before their retention time is over, too, and
   * waits for removals in progress.
   */
  async close({ isEarly }: { isEarly: boolean }): Promise<void> {
    await (isEarly ? this.removeAll(this.entries.filter((entry) => entry.isUnreferenced())) : this.sweep())
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

  /** One that cannot be removed is kept for the next sweep, which begins with those after it. */
  private async removeEach(chosen: readonly GarbageEntry[]): Promise<void> {
    for (const [index, entry] of chosen.entries()) {
      try {
        await entry.remove()
      } catch (cause) {
        this.entries.push(...chosen.slice(index + 1), entry)
        throw cause
      }
    }
  }
}
