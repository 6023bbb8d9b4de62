interface Thing {
  readonly isFree: () => boolean
  readonly remove: () => Promise<void>
}

/** Tables and files that the newest state no longer needs, kept until no reader holds them. */
export class Retired {
  private things: Thing[] = []

  add(thing: Thing): void {
    this.things.push(thing)
  }

  /** Removes what has become free. */
  async sweep(): Promise<void> {
    const free = this.things.filter((thing) => thing.isFree())
    if (free.length === 0) return
    this.things = this.things.filter((thing) => !free.includes(thing))
    for (const thing of free) await thing.remove()
  }
}
