import type { DataFile } from '../data-files/data-file.ts'
import type { KeyIndex } from '../key-index/key-index.ts'
import type { MaskedKeys } from '../memtable/masked-keys.ts'
import type { Memtable } from '../memtable/memtable.ts'
import { type RowKey, rowKey } from '../row-key.ts'

/** The keys that a memtable masked when it was pinned. */
interface PinnedMask {
  readonly name: string
  readonly masked: MaskedKeys
  readonly size: number
}

/** Rows of data files that memtables hide from a reader. */
export class HiddenRows {
  private readonly masks: readonly PinnedMask[]
  private readonly keyIndex: KeyIndex

  constructor(memtables: readonly Pick<Memtable, 'maskName' | 'masked'>[], keyIndex: KeyIndex) {
    this.masks = memtables
      .filter(({ masked }) => masked.size > 0)
      .map(({ maskName, masked }) => ({ name: maskName, masked, size: masked.size }))
    this.keyIndex = keyIndex
  }

  /** Differs whenever other rows are hidden, while the process runs. */
  get id(): string {
    return this.masks.map(({ name, size }) => `${name}:${size}`).join(' ')
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

  /** How many rows of each file are hidden; files that cannot tell are left out. */
  async countIn(dataFiles: readonly DataFile[]): Promise<ReadonlyMap<DataFile, number>> {
    const keys = new Map<DataFile, Set<RowKey> | undefined>(dataFiles.map((dataFile) => [dataFile, new Set()]))
    for (const { masked, size } of this.masks) {
      for (const [dataFile, { positions, isExact }] of await masked.in(dataFiles, this.keyIndex)) {
        if (!isExact) keys.set(dataFile, undefined)
        // A row may be masked by both memtables.
        for (const position of positions) if (position < size) keys.get(dataFile)?.add(masked.at(position))
      }
    }
    return new Map(
      [...keys].flatMap(([dataFile, held]) => (held === undefined ? [] : [[dataFile, held.size] as const])),
    )
  }
}
