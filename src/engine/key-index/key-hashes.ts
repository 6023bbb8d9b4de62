import { wordAt } from '../../lib/bytes.ts'
import { itemAt } from '../../lib/present.ts'
import type { Table } from '../../lib/table.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import { type DataFile, withinBounds } from '../data-files/data-file.ts'
import { type Hashing, hashValue, type ValueHash } from '../keys/bloom-filter.ts'
import { type RowKey, splitKey } from '../row-key.ts'

/** One of the hashes that `KeyHashes.by` returns. */
export const hashAt = (hashes: Uint32Array, index: number): ValueHash => ({
  a: wordAt(hashes, index * 2 + 1),
  b: wordAt(hashes, index * 2),
})

/** How new filters and keys are hashed. */
export const currentHashing: Hashing = 'xxh64'

/** The hashes of some keys, computed when a file needs them: two words for each key. */
export class KeyHashes {
  private readonly table: Table
  private readonly keys: readonly RowKey[]
  private readonly known = new Map<Hashing, Uint32Array>()

  constructor(table: Table, keys: readonly RowKey[]) {
    this.table = table
    this.keys = keys
  }

  /** Whether the bounds of a file allow it to have a key. */
  isWithin(dataFile: DataFile, index: number): boolean {
    const [projectColumn, idColumn] = this.table.key
    const [project, id] = splitKey(itemAt(this.keys, index))
    return withinBounds(dataFile, projectColumn, project) && withinBounds(dataFile, idColumn, id)
  }

  areSomeWithin(dataFile: DataFile): boolean {
    return this.keys.some((_, index) => this.isWithin(dataFile, index))
  }

  async by(hashing: Hashing): Promise<Uint32Array> {
    const known = this.known.get(hashing)
    if (known !== undefined) return known
    const hashes = new Uint32Array(this.keys.length * 2)
    const slice = new TimeSlice()
    for (const [index, key] of this.keys.entries()) {
      if (slice.expired) await slice.yield()
      const [project, id] = splitKey(key)
      const { a, b } = hashValue(this.table.key[1], project, id, hashing)
      hashes[index * 2] = b
      hashes[index * 2 + 1] = a
    }
    this.known.set(hashing, hashes)
    return hashes
  }
}
