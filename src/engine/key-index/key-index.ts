import { DomainError } from '../../lib/errors.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt } from '../../lib/present.ts'
import type { Table } from '../../lib/table.ts'
import type { Log } from '../../runtime/log.ts'
import { isPassing } from '../../runtime/objects/retrying-store.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import { NotAtHand } from '../../runtime/platform/without-waiting.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { loadFilters } from '../data-files/deferred-filter.ts'
import type { PlaceInGroup } from '../data-files/file-filter.ts'
import { findSection } from '../index-file/index-file.ts'
import { findHashLists, KeyFile } from '../keys/key-file.ts'
import { LastUsed } from '../last-used.ts'
import type { TableLayout } from '../layout.ts'
import type { RowKey } from '../row-key.ts'
import { BlockCache } from './block-cache.ts'
import { KeyGroupSet } from './key-group-set.ts'
import { currentHashing, hashAt, KeyHashes } from './key-hashes.ts'
import { UnreadableHashes } from './write-key-group.ts'

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

/** The keys of a data file; `file` is undefined if they cannot be used. */
interface KnownKeys {
  readonly file: KeyFile | undefined
  readonly byteLength: number
}

/** Memory of an entry, besides the directory of the keys. */
const knownKeysBytes = 512

/**
 * Tells which data files of a table contain a key without opening them: first the groups, then the
 * Bloom filters of files in none, then one page of the keys in the index of a file. It works with
 * any list of files. A file that is new to it, or whose keys are missing or damaged, is looked up
 * by its filter alone until its index has been rebuilt. See docs/decisions/065-key-index.md.
 */
export class KeyIndex {
  private readonly table: Table
  private readonly layout: TableLayout
  private readonly log: Log | undefined
  private readonly groups: KeyGroupSet
  /** By data file name. */
  private readonly files = new LastUsed<KnownKeys>(storageLimits.keyDirectoriesBytesMax)
  /** Names of files in no group whose index has all that a group needs. */
  private readonly ready = new Set<string>()

  /** @param log undefined for read-only use, without `open` and `regroup` */
  constructor(table: Table, layout: TableLayout, blocks = new BlockCache(0), log?: Log) {
    this.table = table
    this.layout = layout
    this.log = log
    this.groups = new KeyGroupSet(layout, blocks, log)
  }

  /** Finds the groups on disk. `filesWithoutKeyFile` and `regroup` create missing files. */
  open(fileNames: readonly string[], options: { mayWrite: boolean }): Promise<void> {
    return this.groups.open(fileNames, options)
  }

  readonly placeOf = (fileName: string): PlaceInGroup | undefined => this.groups.placeOf(fileName)

  get stats(): { readonly memoryBytes: number; readonly groups: number } {
    return { memoryBytes: this.files.byteLength, groups: this.groups.count }
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

  /**
   * Files at hand whose hashes are missing, damaged or those of earlier versions. Files in groups
   * have them, as far as is known.
   */
  async filesWithoutKeyFile(dataFiles: readonly DataFile[]): Promise<DataFile[]> {
    const missing: DataFile[] = []
    for (const dataFile of dataFiles) {
      const { fileName, filter } = dataFile
      if (!this.layout.hasIndexAtHand(fileName)) continue
      const isUnusable = this.isUnusable(fileName)
      if (!isUnusable && (filter.isInGroup || this.ready.has(fileName))) continue
      const lists = isUnusable ? undefined : await this.listsOf(dataFile)
      if (lists === undefined) missing.push(dataFile)
      else this.ready.add(fileName)
    }
    return missing
  }

  /** Whether the keys of a file turned out to be missing or damaged. */
  private isUnusable(fileName: string): boolean {
    return this.files.has(fileName) && this.files.get(fileName)?.file === undefined
  }

  /** Call when the index of a data file has been rebuilt. */
  invalidate({ fileName }: DataFile): void {
    this.files.delete(fileName)
    this.ready.delete(fileName)
  }

  /**
   * Merges files into a group if that is due. One step.
   * @returns whether a group changed
   */
  async regroup(dataFiles: readonly DataFile[]): Promise<boolean> {
    const ungrouped = new Set(this.groups.planFor(dataFiles).ungrouped.map(({ fileName }) => fileName))
    for (const name of this.ready) if (!ungrouped.has(name)) this.ready.delete(name)
    try {
      return await this.groups.regroup(
        dataFiles,
        ({ fileName, filter }) => this.ready.has(fileName) || (filter.isInGroup && !this.isUnusable(fileName)),
        (dataFile) => this.listsToGroup(dataFile),
      )
    } catch (cause) {
      if (!(cause instanceof UnreadableHashes)) throw cause
      // The store is away, which says nothing about the index.
      if (cause.cause instanceof DomainError && !isLasting(cause.cause)) throw cause.cause
      this.rebuildLater(cause, cause)
      return false
    }
  }

  private async listsToGroup(dataFile: DataFile): Promise<readonly KeyFile[] | undefined> {
    const lists = await this.listsOf(dataFile).catch((cause: unknown) => {
      if (cause instanceof DomainError && isLasting(cause)) return undefined
      throw cause
    })
    // It had them before: the same files would be chosen again and again.
    if (lists === undefined) this.rebuildLater(dataFile)
    return lists
  }

  private rebuildLater(file: { readonly fileName: string }, err?: unknown): void {
    this.log?.warn({ err, file: file.fileName }, 'rebuilding the index of a data file before it is grouped')
    this.ready.delete(file.fileName)
    this.note(file, undefined)
  }

  private listsOf(dataFile: DataFile): Promise<readonly KeyFile[] | undefined> {
    return this.tolerateDamage(dataFile, findHashLists(this.layout, dataFile.fileName))
  }

  /** For each file, the indexes of the hashes that groups and filters do not rule out. */
  private async candidates(dataFiles: readonly DataFile[], keys: KeyHashes): Promise<Map<DataFile, number[]>> {
    const hashes = await keys.by(currentHashing)
    const plan = this.groups.planFor(dataFiles)
    const isRemote = this.layout.files.filters !== undefined
    if (isRemote) await loadFilters(plan.ungrouped.filter((dataFile) => keys.areSomeWithin(dataFile)))
    const candidates = new Map<DataFile, number[]>()
    const slice = new TimeSlice()
    const add = (dataFile: DataFile, index: number) => {
      if (isRemote && !keys.isWithin(dataFile, index)) return
      const known = candidates.get(dataFile)
      if (known === undefined) candidates.set(dataFile, [index])
      else known.push(index)
    }
    for (const { group, dataFiles: members } of plan.groups) {
      using reader = group.reader()
      for (let index = 0; index < hashes.length / 2; index++) {
        const numbers = group.filesWith(hashAt(hashes, index), reader)
        for (const number of numbers ?? members.keys()) {
          const dataFile = members.get(number)
          if (dataFile !== undefined) add(dataFile, index)
        }
        if (slice.expiredNow) await slice.yield()
      }
    }
    for (const dataFile of plan.ungrouped) {
      const { own } = dataFile.filter
      const hashing = own?.hashing ?? currentHashing
      const ofFile = await keys.by(hashing)
      // It may have been loaded meanwhile, and turn out to be hashed in another way.
      const isAsHashed = own !== undefined && own.hashing === hashing
      for (let index = 0; index < ofFile.length / 2; index++)
        if (!isAsHashed || own.mayContain(hashAt(ofFile, index))) add(dataFile, index)
      await slice.yieldIfExpired()
    }
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
      if (held === undefined && this.files.get(dataFile.fileName)?.file === file) this.note(dataFile, undefined)
      return held
    } catch (cause) {
      if (!(cause instanceof DomainError)) throw cause
      if (isLasting(cause)) return undefined
      if (mustKnow) throw cause
      return 'unavailable'
    }
  }

  private async keyFileFor(dataFile: DataFile): Promise<KeyFile | undefined> {
    const known = this.files.get(dataFile.fileName)
    if (known !== undefined) return known.file
    const find = async () => {
      const place = await findSection(this.layout, dataFile.fileName, 'keys')
      return place && (await KeyFile.find(place))
    }
    const file = await this.tolerateDamage(dataFile, find())
    this.note(dataFile, file)
    return file
  }

  private note({ fileName }: { readonly fileName: string }, file: KeyFile | undefined): void {
    this.files.set(fileName, { file, byteLength: knownKeysBytes + (file?.memoryBytes ?? 0) })
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

/** Whether an index cannot be fetched later either. */
const isLasting = ({ cause }: DomainError): boolean => cause !== undefined && !isPassing(cause)

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
