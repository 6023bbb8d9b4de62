import { storageLimits } from '../../lib/limits/storage.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { KeyIndex } from '../key-index/key-index.ts'
import type { MaskedKeys } from '../memtable/masked-keys.ts'
import type { Memtable } from '../memtable/memtable.ts'
import { type RowKey, rowKey } from '../row-key.ts'
import type { FoundKeys, HiddenKeys, KeysByFile } from './hidden-keys.ts'

/** The keys that a memtable masked when it was pinned. */
interface PinnedMask {
  readonly name: string
  readonly masked: MaskedKeys
  readonly size: number
}

/** Memtables, the older one first, and all data files, as pinned. */
interface PinnedLayers {
  readonly sealed: Memtable | undefined
  readonly active: Memtable
  readonly dataFiles: readonly DataFile[]
  readonly keyIndex: KeyIndex
  /** Shared by the readers of the table. */
  readonly hiddenKeys: HiddenKeys
}

/** Rows of data files that memtables hide from a reader. */
export class HiddenRows {
  private readonly masks: readonly PinnedMask[]
  private readonly layers: PinnedLayers

  constructor(layers: PinnedLayers) {
    const { sealed, active } = layers
    this.layers = layers
    this.masks = (sealed === undefined ? [active] : [sealed, active])
      .filter(({ masked }) => masked.size > 0)
      .map(({ maskName, masked }) => ({ name: maskName, masked, size: masked.size }))
  }

  /** Differs whenever other rows are hidden, while the process runs. */
  get id(): string {
    return this.masks.map(({ name, size }) => `${name}:${size}`).join(' ')
  }

  /** Shared by the readers of the table. */
  get counts(): HiddenKeys['counts'] {
    return this.layers.hiddenKeys.counts
  }

  /** The tables of their keys. */
  get maskNames(): string[] {
    return this.masks.map(({ name }) => name)
  }

  /** How many rows of a project may be hidden, also from readers that begin later. */
  atMostOf(projectId: string): number {
    return this.masks.reduce((sum, { masked }) => sum + (masked.perProject.get(projectId) ?? 0), 0)
  }

  has(projectId: string, id: string): boolean {
    if (this.masks.length === 0) return false
    const key = rowKey(projectId, id)
    return this.masks.some(({ masked, size }) => masked.hadAt(size, key))
  }

  /**
   * The keys of the hidden rows of each file that may have some of a project; files that cannot
   * tell are left out, and so are all if the project has very many. As long as the same rows are
   * hidden, a file has the same array.
   */
  async keysIn(projectId: string, dataFiles: readonly DataFile[]): Promise<KeysByFile> {
    const masked = this.atMostOf(projectId)
    if (masked === 0) return new Map(dataFiles.map((dataFile) => [dataFile, []]))
    if (masked > storageLimits.hiddenRowsCountedMax) return new Map()
    const { sealed, dataFiles: all, hiddenKeys } = this.layers
    const found = await hiddenKeys.in(all, `${sealed?.tableName} ${this.id}`, () => this.findKeys())
    const known = new Map<DataFile, readonly RowKey[]>()
    for (const dataFile of dataFiles) {
      const keys = found.get(dataFile)
      if (keys !== undefined) known.set(dataFile, keys)
    }
    return known
  }

  /**
   * A masked row is in one file, or only in the sealed memtable. If key files of several seem to
   * name it, because of a key of the same hash, none of these can tell.
   */
  private async findKeys(): Promise<FoundKeys> {
    const { sealed, dataFiles, keyIndex } = this.layers
    const holders = new Map<RowKey, DataFile[]>()
    let isFinal = true
    for (const { masked, size } of this.masks) {
      for (const [dataFile, { positions, isExact }] of await masked.in(dataFiles, keyIndex)) {
        isFinal &&= isExact
        for (const position of positions) {
          if (position >= size) continue
          const key = masked.at(position)
          if (sealed?.keys.has(key) && !sealed.masked.has(key)) continue
          const known = holders.get(key)
          // A row may be masked by both memtables.
          if (known === undefined) holders.set(key, [dataFile])
          else if (!known.includes(dataFile)) known.push(dataFile)
        }
      }
    }
    const unknown = new Set([...holders.values()].filter((files) => files.length > 1).flat())
    const known = new Map<DataFile, RowKey[]>()
    for (const dataFile of dataFiles) if (!unknown.has(dataFile)) known.set(dataFile, [])
    for (const [key, [dataFile]] of holders) if (dataFile !== undefined) known.get(dataFile)?.push(key)
    return { keys: known, isFinal }
  }
}
