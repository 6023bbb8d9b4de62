/**
 * A cache of at most `entriesMax` entries that always holds the `entriesMax / 2` used last. Every
 * operation takes constant time: entries live in two generations, and the older one is dropped as a
 * whole when the younger one is half of the bound.
 */
export class BoundedMap<Key, Value> {
  private readonly generationMax: number
  private young = new Map<Key, Value>()
  private old = new Map<Key, Value>()

  constructor(entriesMax: number) {
    this.generationMax = Math.max(1, Math.floor(entriesMax / 2))
  }

  /** Counts as a use. Undefined for keys that were never set or are forgotten. */
  get(key: Key): Value | undefined {
    const value = this.young.get(key)
    if (value !== undefined) return value
    const older = this.old.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  has(key: Key): boolean {
    return this.young.has(key) || this.old.has(key)
  }

  set(key: Key, value: Value): void {
    this.old.delete(key)
    if (this.young.size >= this.generationMax && !this.young.has(key)) {
      this.old = this.young
      this.young = new Map()
    }
    this.young.set(key, value)
  }

  /** Forgets the keys for which the function returns true; looks at every entry. */
  deleteWhere(isUnwanted: (key: Key) => boolean): void {
    for (const entries of [this.young, this.old])
      for (const key of [...entries.keys()]) if (isUnwanted(key)) entries.delete(key)
  }

  delete(key: Key): void {
    this.young.delete(key)
    this.old.delete(key)
  }
}
