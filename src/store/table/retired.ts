import type { Clock } from '../../platform/clock.ts'

interface Thing {
  /** Whether no reader of this process holds it. */
  readonly isFree: () => boolean
  readonly remove: () => Promise<void>
}

interface KeptThing extends Thing {
  readonly keptUntilMs: number
}

/** Tables and files that the newest state no longer needs, kept until no reader holds them, and some for a while beyond that. */
export class Retired {
  private readonly clock: Clock
  private things: KeptThing[] = []
  private readonly removals = new Set<Promise<void>>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** @param keptMs how long it stays even if it is free: for readers that this process does not know */
  add(thing: Thing, { keptMs }: { keptMs: number }): void {
    this.things.push({ ...thing, keptUntilMs: this.clock.nowMs() + keptMs })
  }

  /** Removes what is free and has stayed for as long as it was to. */
  async sweep(): Promise<void> {
    const nowMs = this.clock.nowMs()
    await this.removeAll(this.things.filter((thing) => thing.isFree() && thing.keptUntilMs <= nowMs))
  }

  /** Removes all that is free, however short it has stayed, and waits for removals under way. */
  async sweepEverything(): Promise<void> {
    await this.removeAll(this.things.filter((thing) => thing.isFree()))
    await Promise.all(this.removals)
  }

  private async removeAll(chosen: readonly KeptThing[]): Promise<void> {
    if (chosen.length === 0) return
    this.things = this.things.filter((thing) => !chosen.includes(thing))
    const removal = this.removeEach(chosen)
    this.removals.add(removal)
    try {
      await removal
    } finally {
      this.removals.delete(removal)
    }
  }

  /** What cannot be removed comes back, for the next sweep. */
  private async removeEach(chosen: readonly KeptThing[]): Promise<void> {
    for (const [index, thing] of chosen.entries()) {
      try {
        await thing.remove()
      } catch (cause) {
        this.things.push(...chosen.slice(index))
        throw cause
      }
    }
  }
}
