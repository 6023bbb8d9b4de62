import { wordAt } from '../../lib/bytes.ts'
import { itemAt } from '../../lib/present.ts'
import type { Table } from '../../lib/table.ts'
import type { Log } from '../../runtime/log.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import { type DataFile, withinBounds } from '../data-files/data-file.ts'
import { hashValue } from '../keys/bloom-filter.ts'
import { KeyFile } from '../keys/key-file.ts'
import type { TableLayout } from '../layout.ts'
import { type RowKey, splitKey } from '../row-key.ts'
import { KeyGroupSet } from './key-group-set.ts'

/** Files that may contain some of the keys, and those keys. */
export interface KeyMatches {
  readonly dataFiles: readonly DataFile[]
  readonly matchingKeys: readonly RowKey[]
}

/** Which of some keys a file contains, by their indexes, in ascending order. */
export interface HeldKeys {
  readonly indexes: readonly number[]
  /** Without a key file, many of them may not be in the file; else only keys of the same hash. */
  readonly isExact: boolean
}

/**
 * Tells which data files of a table contain a key without opening them: first the filters of groups
 * in memory, then those of single files, then one page of a key file. It works with any list of
 * files. A file that is new to it, or whose key file is missing or damaged, is looked up by its
 * filter alone until the key file has been rebuilt. See docs/decisions/065-key-index.md.
 */
export class KeyIndex {
  private readonly table: Table
  private readonly layout: TableLayout
  private readonly log: Log | undefined
  private readonly groups: KeyGroupSet
  /** By data file name; undefined if the key file is unusable. */
  private readonly files = new Map<string, KeyFile | undefined>()

  /** @param log undefined for read-only use, without `open` and `regroup` */
  constructor(table: Table, layout: TableLayout, log?: Log) {
    this.table = table
    this.layout = layout
    this.log = log
    this.groups = new KeyGroupSet(layout, log)
  }

  /** Loads the groups from disk. `filesWithoutKeyFile` and `regroup` create missing files. */
  open(dataFiles: readonly DataFile[], options: { mayWrite: boolean }): Promise<void> {
    return this.groups.open(dataFiles, options)
  }

  get stats(): { readonly memoryBytes: number; readonly groups: number } {
    let ofFiles = 0
    for (const file of this.files.values()) ofFiles += file?.memoryBytes ?? 0
    return { memoryBytes: this.groups.memoryBytes + ofFiles, groups: this.groups.count }
  }

  /**
   * Returns the files that contain any of the keys, and those keys. False positives occur only for
   * files without a key file.
   */
  async lookUp(dataFiles: readonly DataFile[], keys: readonly RowKey[]): Promise<KeyMatches> {
    const holders = await this.holdersOf(dataFiles, keys)
    const found = new Set([...holders.values()].flatMap(({ indexes }) => indexes))
    return {
      dataFiles: [...holders.keys()],
      matchingKeys: [...found].map((index) => itemAt(keys, index)),
    }
  }

  /** The same by file. */
  async holdersOf(dataFiles: readonly DataFile[], keys: readonly RowKey[]): Promise<Map<DataFile, HeldKeys>> {
    const holders = new Map<DataFile, HeldKeys>()
    if (dataFiles.length === 0 || keys.length === 0) return holders
    const hashes = await this.hashesOf(keys)
    for (const [dataFile, indexes] of await this.candidates(dataFiles, hashes)) {
      const held = await this.confirm(dataFile, hashes, indexes, keys)
      if (held.indexes.length > 0) holders.set(dataFile, held)
    }
    return holders
  }

  /** Files whose key file is missing or damaged and has to be rebuilt. */
  async filesWithoutKeyFile(dataFiles: readonly DataFile[]): Promise<DataFile[]> {
    const missing: DataFile[] = []
    for (const dataFile of dataFiles) if ((await this.keyFileFor(dataFile)) === undefined) missing.push(dataFile)
    return missing
  }

  /** Call when the key file of a data file has been rebuilt. */
  invalidate({ fileName }: DataFile): void {
    this.files.delete(fileName)
  }

  /**
   * Merges files into a group if that is due. One step.
   * @returns whether a group changed
   */
  regroup(dataFiles: readonly DataFile[]): Promise<boolean> {
    const names = new Set(dataFiles.map(({ fileName }) => fileName))
    for (const name of this.files.keys()) if (!names.has(name)) this.files.delete(name)
    return this.groups.regroup(dataFiles, ({ fileName }) => this.files.get(fileName))
  }

  private async hashesOf(keys: readonly RowKey[]): Promise<Uint32Array> {
    const hashes = new Uint32Array(keys.length * 2)
    const slice = new TimeSlice()
    for (const [index, key] of keys.entries()) {
      if (slice.expired) await slice.yield()
      const [project, id] = splitKey(key)
      const { a, b } = hashValue(this.table.key[1], project, id)
      hashes[index * 2] = b
      hashes[index * 2 + 1] = a
    }
    return hashes
  }

  /** For each file, the indexes of the hashes that the filters in memory do not rule out. */
  private async candidates(dataFiles: readonly DataFile[], hashes: Uint32Array): Promise<Map<DataFile, number[]>> {
    const plan = this.groups.planFor(dataFiles)
    const candidates = new Map<DataFile, number[]>()
    const slice = new TimeSlice()
    const ask = async (dataFile: DataFile, indexes: readonly number[]) => {
      const held = indexes.filter((index) =>
        dataFile.filter.mayContain({ a: wordAt(hashes, index * 2 + 1), b: wordAt(hashes, index * 2) }),
      )
      if (held.length > 0) candidates.set(dataFile, held)
      await slice.yieldIfExpired()
    }
    const all = Array.from({ length: hashes.length / 2 }, (_, index) => index)
    for (const group of plan.groups) {
      const indexes = all.filter((index) =>
        group.filter.mayContain(wordAt(hashes, index * 2 + 1), wordAt(hashes, index * 2)),
      )
      await slice.yieldIfExpired()
      if (indexes.length > 0) for (const dataFile of group.dataFiles) await ask(dataFile, indexes)
    }
    for (const dataFile of plan.ungrouped) await ask(dataFile, all)
    return candidates
  }

  private async confirm(
    dataFile: DataFile,
    hashes: Uint32Array,
    indexes: readonly number[],
    keys: readonly RowKey[],
  ): Promise<HeldKeys> {
    const file = await this.keyFileFor(dataFile)
    if (file !== undefined) {
      const held = await this.tolerateDamage(dataFile, file.findPresent(hashes, indexes))
      if (held !== undefined) return { indexes: held.sort((a, b) => a - b), isExact: true }
      this.files.set(dataFile.fileName, undefined)
    }
    const [projectColumn, idColumn] = this.table.key
    const possible = indexes.filter((index) => {
      const [project, id] = splitKey(itemAt(keys, index))
      return withinBounds(dataFile, projectColumn, project) && withinBounds(dataFile, idColumn, id)
    })
    return { indexes: possible, isExact: false }
  }

  private async keyFileFor(dataFile: DataFile): Promise<KeyFile | undefined> {
    const { fileName } = dataFile
    if (!this.files.has(fileName))
      this.files.set(fileName, await this.tolerateDamage(dataFile, KeyFile.find(this.layout.keys(fileName))))
    return this.files.get(fileName)
  }

  /** The key file only repeats what the data file says, so an unreadable one fails no request. */
  private async tolerateDamage<T>({ fileName }: DataFile, reading: Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await reading
    } catch (err) {
      this.log?.warn({ err, file: fileName }, 'cannot read the key file of a data file')
      return undefined
    }
  }
}
