import { wordAt } from '../../lib/bytes.ts'
import { DomainError } from '../../lib/errors.ts'
import { itemAt } from '../../lib/present.ts'
import type { Table } from '../../lib/table.ts'
import type { Log } from '../../runtime/log.ts'
import { isPassing } from '../../runtime/objects/retrying-store.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import { NotAtHand } from '../../runtime/platform/without-waiting.ts'
import { type DataFile, withinBounds } from '../data-files/data-file.ts'
import { loadFilters } from '../data-files/deferred-filter.ts'
import { findSection } from '../index-file/index-file.ts'
import { type Hashing, hashValue } from '../keys/bloom-filter.ts'
import { KeyFile } from '../keys/key-file.ts'
import type { TableLayout } from '../layout.ts'
import { type RowKey, splitKey } from '../row-key.ts'
import { KeyGroupSet } from './key-group-set.ts'

/** Files that may contain some of the keys, and those keys. */
export interface KeyMatches {
  readonly dataFiles: readonly DataFile[]
  readonly matchingKeys: readonly RowKey[]
}

export interface LookUpOptions {
  readonly mustKnow?: boolean
}

/** Which of some keys a file contains, by their indexes, in ascending order. */
export interface HeldKeys {
  readonly indexes: readonly number[]
  /** Without a key file, many of them may not be in the file; else only keys of the same hash. */
  readonly isExact: boolean
}

/**
 * Tells which data files of a table contain a key without opening them: first the filters of groups
 * in memory, then those of single files, then one page of the keys in its index. It works with any
 * list of files. A file that is new to it, or whose keys are missing or damaged, is looked up by
 * its filter alone until its index has been rebuilt. See docs/decisions/065-key-index.md.
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

  /**
   * The same by file.
   *
   * @param options.mustKnow whether to fail, rather than to say what is possible, without the store
   * @throws DomainError StoreUnavailable with `mustKnow`
   */
  async holdersOf(
    dataFiles: readonly DataFile[],
    keys: readonly RowKey[],
    { mustKnow = false }: LookUpOptions = {},
  ): Promise<Map<DataFile, HeldKeys>> {
    const holders = new Map<DataFile, HeldKeys>()
    if (dataFiles.length === 0 || keys.length === 0) return holders
    const hashes = new KeyHashes(this.table, keys)
    // Callers hold locks: without the store, one wait for it is enough.
    let isAway = false
    for (const [dataFile, indexes] of await this.candidates(dataFiles, hashes)) {
      const present: Present = isAway ? 'unavailable' : await this.findPresent(dataFile, hashes, indexes, mustKnow)
      isAway = present === 'unavailable'
      const held = heldKeys(present, () => indexes.filter((index) => hashes.isWithin(dataFile, index)))
      if (held.indexes.length > 0) holders.set(dataFile, held)
    }
    return holders
  }

  /** Files at hand whose keys are missing, damaged or hashed as by earlier versions. */
  async filesWithoutKeyFile(dataFiles: readonly DataFile[]): Promise<DataFile[]> {
    const missing: DataFile[] = []
    for (const dataFile of dataFiles)
      if (
        this.layout.hasIndexAtHand(dataFile.fileName) &&
        (await this.keyFileFor(dataFile))?.hashing !== currentHashing
      )
        missing.push(dataFile)
    return missing
  }

  /** Call when the index of a data file has been rebuilt. */
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
    return this.groups.regroup(dataFiles, ({ fileName }) => {
      const file = this.files.get(fileName)
      return file?.hashing === currentHashing ? file : undefined
    })
  }

  /** For each file, the indexes of the hashes that the filters in memory do not rule out. */
  private async candidates(dataFiles: readonly DataFile[], keys: KeyHashes): Promise<Map<DataFile, number[]>> {
    const hashes = await keys.by(currentHashing)
    const plan = this.groups.planFor(dataFiles)
    const isRemote = this.layout.files.filters !== undefined
    if (isRemote) await this.loadFiltersFor(dataFiles, keys)
    const candidates = new Map<DataFile, number[]>()
    const slice = new TimeSlice()
    const ask = async (dataFile: DataFile, some: readonly number[]) => {
      const { filter } = dataFile
      const indexes = isRemote ? some.filter((index) => keys.isWithin(dataFile, index)) : some
      const { hashing } = filter
      const ofFile = await keys.by(hashing)
      // It may have been loaded meanwhile, and turn out to be hashed in another way.
      const isAsHashed = filter.hashing === hashing
      const held = indexes.filter(
        (index) => !isAsHashed || filter.mayContain({ a: wordAt(ofFile, index * 2 + 1), b: wordAt(ofFile, index * 2) }),
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

  private async findPresent(
    dataFile: DataFile,
    hashes: KeyHashes,
    indexes: readonly number[],
    mustKnow: boolean,
  ): Promise<Present> {
    try {
      const file = await this.keyFileFor(dataFile)
      if (file === undefined) return undefined
      const held = await this.tolerateDamage(dataFile, file.findPresent(await hashes.by(file.hashing), indexes))
      // Unless the index has been rebuilt since.
      if (held === undefined && this.files.get(dataFile.fileName) === file) this.files.set(dataFile.fileName, undefined)
      return held
    } catch (cause) {
      if (!(cause instanceof DomainError)) throw cause
      if (cause.cause !== undefined && !isPassing(cause.cause)) return undefined
      if (mustKnow) throw cause
      return 'unavailable'
    }
  }

  /** Filters of files that the bounds of the keys do not rule out. */
  private async loadFiltersFor(dataFiles: readonly DataFile[], keys: KeyHashes): Promise<void> {
    await loadFilters(dataFiles.filter((dataFile) => keys.areSomeWithin(dataFile)))
  }

  private async keyFileFor(dataFile: DataFile): Promise<KeyFile | undefined> {
    const { fileName } = dataFile
    if (!this.files.has(fileName)) this.files.set(fileName, await this.tolerateDamage(dataFile, this.find(fileName)))
    return this.files.get(fileName)
  }

  private async find(fileName: string): Promise<KeyFile | undefined> {
    const place = await findSection(this.layout, fileName, 'keys')
    return place && (await KeyFile.find(place))
  }

  /** The key file only repeats what the data file says, so an unreadable one fails no request. */
  private async tolerateDamage<T>({ fileName }: DataFile, reading: Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await reading
    } catch (err) {
      // It is there, but cannot be fetched now.
      if (err instanceof DomainError || err instanceof NotAtHand) throw err
      this.log?.warn({ err, file: fileName }, 'cannot read the keys of a data file')
      return undefined
    }
  }
}

/**
 * Indexes of keys that a file has. Undefined if it has no usable list of its keys; `unavailable` if
 * that cannot be fetched now.
 */
type Present = number[] | 'unavailable' | undefined

/** @param possible what may be in the file, for all that is known without its keys */
const heldKeys = (present: Present, possible: () => number[]): HeldKeys =>
  present === undefined || present === 'unavailable'
    ? { indexes: possible(), isExact: false }
    : { indexes: present.sort((a, b) => a - b), isExact: true }

/** How new filters and keys are hashed. */
const currentHashing: Hashing = 'xxh64'

/** The hashes of some keys, computed when a file needs them: two words for each key. */
class KeyHashes {
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
