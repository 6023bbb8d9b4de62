import { BloomFilter, type GroupOfFiles, type HashedValue } from '../keys/bloom-filter.ts'
import { DeferredFilter } from './deferred-filter.ts'

/** A data file in a group. */
export interface PlaceInGroup {
  readonly group: GroupOfFiles
  readonly number: number
}

/**
 * What tells whether a data file may have a value: the group that it is in; else its own Bloom
 * filter, if that is in memory; else nothing, and everything may be in it.
 */
export class FileFilter {
  private place: PlaceInGroup | undefined
  private filter: BloomFilter | DeferredFilter | undefined

  constructor(known: { readonly place?: PlaceInGroup | undefined; readonly own?: FileFilter['filter'] } = {}) {
    this.place = known.place
    this.filter = known.own
  }

  get isInGroup(): boolean {
    return this.place !== undefined
  }

  /** Its Bloom filter, unless it is in a group. */
  get own(): BloomFilter | DeferredFilter | undefined {
    return this.place === undefined ? this.filter : undefined
  }

  /** Memory that its Bloom filter takes, unless that can be read again. */
  get byteLength(): number {
    return this.filter instanceof BloomFilter ? this.filter.byteLength : 0
  }

  /** Its Bloom filter is not needed any more; one that can be read again may stay. */
  join(place: PlaceInGroup): void {
    this.place = place
    if (!(this.filter instanceof DeferredFilter)) this.filter = undefined
  }

  /** Leaves its group, which is about to be removed. */
  leave(own: BloomFilter | undefined): void {
    this.place = undefined
    this.filter ??= own
  }

  mayHave(value: HashedValue): boolean {
    const { place, filter } = this
    if (place !== undefined) return value.filesIn(place.group)?.has(place.number) ?? true
    return filter === undefined || filter.mayContain(value.by(filter.hashing))
  }
}
