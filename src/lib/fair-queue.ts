/**
 * Items that wait, in a queue per owner. Owners get turns one after the other, however many items
 * each of them has.
 */
export class FairQueue<T> {
  /** In the order of the owners' next turns. */
  private readonly queues = new Map<string, readonly T[]>()

  get size(): number {
    return this.queues.values().reduce((sum, { length }) => sum + length, 0)
  }

  add(owner: string, item: T): void {
    this.set(owner, [...(this.queues.get(owner) ?? []), item])
  }

  remove(owner: string, item: T): void {
    this.set(
      owner,
      (this.queues.get(owner) ?? []).filter((other) => other !== item),
    )
  }

  /** Removes the item whose turn it is, of an owner that may have one; undefined without any. */
  take(mayHaveTurn: (owner: string) => boolean = () => true): T | undefined {
    for (const [owner, [first, ...others]] of this.queues) {
      if (first === undefined || !mayHaveTurn(owner)) continue
      // The owner's other items wait behind those of all other owners.
      this.queues.delete(owner)
      this.set(owner, others)
      return first
    }
    return undefined
  }

  private set(owner: string, items: readonly T[]): void {
    if (items.length === 0) this.queues.delete(owner)
    else this.queues.set(owner, items)
  }
}
