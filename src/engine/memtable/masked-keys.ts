import { itemAt } from '../../lib/present.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { KeyIndex, LookUpOptions } from '../key-index/key-index.ts'
import { type RowKey, splitKey } from '../row-key.ts'

/** Keys that a data file contains, by their positions in the order in which they were masked. */
export interface MaskedInFile {
  readonly positions: readonly number[]
  /** Without a key file, many of them may not be in the file; else only keys of the same hash. */
  readonly isExact: boolean
}

/**
 * The keys that a memtable hides in older layers, in the order in which it began to hide them. None
 * is ever removed, so the first ones are those that a reader has pinned.
 */
export class MaskedKeys {
  readonly perProject = new Map<string, number>()
  private readonly keys: RowKey[] = []
  private readonly positions = new Map<RowKey, number>()
  /** For each data file, the keys that it contains among the first `looked`. */
  private readonly known = new WeakMap<DataFile, { looked: number; readonly positions: number[] }>()

  get size(): number {
    return this.keys.length
  }

  [Symbol.iterator](): IterableIterator<RowKey> {
    return this.keys.values()
  }

  /** The key at a position. */
  at(position: number): RowKey {
    return itemAt(this.keys, position)
  }

  has(key: RowKey): boolean {
    return this.positions.has(key)
  }

  /** Whether the key was masked when there were `size` of them. */
  hadAt(size: number, key: RowKey): boolean {
    const position = this.positions.get(key)
    return position !== undefined && position < size
  }

  add(key: RowKey): void {
    if (this.positions.has(key)) return
    this.positions.set(key, this.keys.length)
    this.keys.push(key)
    const [project] = splitKey(key)
    this.perProject.set(project, (this.perProject.get(project) ?? 0) + 1)
  }

  /**
   * The keys that each of some data files contains; files without any are left out. A file never
   * changes, so it is asked once for each key.
   */
  async in(
    dataFiles: readonly DataFile[],
    keyIndex: KeyIndex,
    options?: LookUpOptions,
  ): Promise<ReadonlyMap<DataFile, MaskedInFile>> {
    const { size } = this
    const found = new Map<DataFile, MaskedInFile>()
    const lookedIn = (dataFile: DataFile): number => this.known.get(dataFile)?.looked ?? 0
    for (const [looked, files] of Map.groupBy(dataFiles, lookedIn)) {
      if (looked >= size) continue
      const holders = await keyIndex.holdersOf(files, this.keys.slice(looked, size), options)
      for (const dataFile of files) {
        const { indexes, isExact } = holders.get(dataFile) ?? { indexes: [], isExact: true }
        const positions = indexes.map((index) => looked + index)
        if (isExact) this.learn(dataFile, size, positions)
        else found.set(dataFile, { positions: [...(this.known.get(dataFile)?.positions ?? []), ...positions], isExact })
      }
    }
    for (const dataFile of dataFiles) {
      const positions = this.known.get(dataFile)?.positions ?? []
      if (positions.length > 0 && !found.has(dataFile)) found.set(dataFile, { positions, isExact: true })
    }
    return found
  }

  private learn(dataFile: DataFile, size: number, positions: readonly number[]): void {
    const before = this.known.get(dataFile) ?? { looked: 0, positions: [] }
    this.known.set(dataFile, before)
    // Another caller may have learned some of it meanwhile.
    for (const position of positions) if (position >= before.looked) before.positions.push(position)
    before.looked = Math.max(before.looked, size)
  }
}
