import { v7 as uuid } from 'uuid'
import { wordAt } from '../../lib/bytes.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { Log } from '../../runtime/log.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import { checksum } from '../../runtime/platform/files/bytes.ts'
import { writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { findBytes, listFolder, removeFile } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { SplitBlockBloomFilter } from '../keys/bloom-filter.ts'
import type { KeyFile } from '../keys/key-file.ts'
import type { TableLayout } from '../layout.ts'

const headerBytes = 32
/** Until format 4 it ended with 1, and the keys were hashed in another way. */
const magic = 0x32474b54

/**
 * One filter over the keys of many data files, so that a new key is recognized with a few lookups
 * however many files there are. It is immutable. Keys of files that have left the table stay in it
 * as false positives until another group replaces it.
 */
export class KeyGroup {
  /** Data files whose keys it contains, whether or not they are still part of the table. */
  readonly fileNames: ReadonlySet<string>
  /** The number of keys in the filter. */
  readonly keys: number
  readonly filter: SplitBlockBloomFilter

  constructor(fileNames: Iterable<string>, keys: number, filter: SplitBlockBloomFilter) {
    this.fileNames = new Set(fileNames)
    this.keys = keys
    this.filter = filter
  }

  /** Reverses `toBytes`; undefined for damaged or unknown data. */
  static fromBytes(bytes: Uint8Array): KeyGroup | undefined {
    if (bytes.byteLength < headerBytes) return undefined
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const word = (index: number) => view.getUint32(index * 4, true)
    const [found, stated, keys, namesBytes, words] = [word(0), word(1), word(2), word(3), word(4)]
    if (found !== magic || bytes.byteLength !== headerBytes + namesBytes + words * 4) return undefined
    if (stated !== checksum(bytes.subarray(8))) return undefined
    const names = new TextDecoder().decode(bytes.subarray(headerBytes, headerBytes + namesBytes))
    const filter = new SplitBlockBloomFilter(new Uint32Array(bytes.slice(headerBytes + namesBytes).buffer))
    return new KeyGroup(names.split('\n'), keys, filter)
  }

  toBytes(): Uint8Array {
    const names = new TextEncoder().encode([...this.fileNames].join('\n'))
    const { words } = this.filter
    const bytes = new Uint8Array(headerBytes + names.byteLength + words.byteLength)
    const view = new DataView(bytes.buffer)
    view.setUint32(0, magic, true)
    view.setUint32(8, this.keys, true)
    view.setUint32(12, names.byteLength, true)
    view.setUint32(16, words.length, true)
    bytes.set(names, headerBytes)
    bytes.set(new Uint8Array(words.buffer, words.byteOffset, words.byteLength), headerBytes + names.byteLength)
    view.setUint32(4, checksum(bytes.subarray(8)), true)
    return bytes
  }
}

/**
 * A new group with the keys of `members` that replaces the groups in `replaced`. Without members
 * these are just removed.
 */
interface GroupMerge<Group> {
  readonly members: readonly DataFile[]
  readonly replaced: readonly Group[]
}

/**
 * Ungrouped files are merged once there are enough of them, together with every group of no more
 * rows. The number of groups, and how often a key is rewritten, therefore grows with the logarithm
 * of the number of files. A group that mostly covers removed files is dissolved.
 *
 * @param isReady whether the key file of a data file is readable
 * @returns undefined if nothing is due
 */
export function selectGroupMerge<Group extends Pick<KeyGroup, 'fileNames' | 'keys'>>(
  dataFiles: readonly DataFile[],
  groups: readonly Group[],
  isReady: (dataFile: DataFile) => boolean,
): GroupMerge<Group> | undefined {
  const live = groups.map((group) => {
    const members = dataFiles.filter(({ fileName }) => group.fileNames.has(fileName))
    return { group, members, rows: rowsOf(members) }
  })
  const stale = live.filter(({ group, rows }) => rows * 2 < group.keys || rows === 0)
  const whole = live.filter((one) => !stale.includes(one))
  const covered = new Set(whole.flatMap(({ members }) => members))
  const members = dataFiles.filter((dataFile) => !covered.has(dataFile) && isReady(dataFile))
  const replaced = stale.map(({ group }) => group)
  if (members.length < storageLimits.ungroupedFilesMax)
    return stale.length === 0 ? undefined : { members: [], replaced }
  let rows = rowsOf(members)
  for (const smaller of whole.toSorted((x, y) => x.rows - y.rows)) {
    if (smaller.rows > rows) break
    rows += smaller.rows
    members.push(...smaller.members.filter((dataFile) => isReady(dataFile) && !members.includes(dataFile)))
    replaced.push(smaller.group)
  }
  return { members, replaced }
}

const rowsOf = (dataFiles: readonly DataFile[]): number => dataFiles.reduce((sum, { rows }) => sum + rows, 0)

interface StoredGroup extends Pick<KeyGroup, 'fileNames' | 'keys' | 'filter'> {
  readonly path: string
}

/**
 * How to look up a key in a list of files: grouped files share one filter, the others are checked
 * one by one.
 */
export interface LookupPlan {
  readonly groups: readonly { readonly filter: SplitBlockBloomFilter; readonly dataFiles: readonly DataFile[] }[]
  readonly ungrouped: readonly DataFile[]
}

/** The key groups of one table, in memory and on disk. */
export class KeyGroupSet {
  private readonly layout: TableLayout
  private readonly log: Log | undefined
  private stored: readonly StoredGroup[] = []
  private cachedPlan: { dataFiles: readonly DataFile[]; plan: LookupPlan } | undefined

  constructor(layout: TableLayout, log: Log | undefined) {
    this.layout = layout
    this.log = log
  }

  get memoryBytes(): number {
    return this.stored.reduce((sum, { filter }) => sum + filter.words.byteLength, 0)
  }

  get count(): number {
    return this.stored.length
  }

  /** Loads the groups from disk. With `mayWrite`, removes those that are damaged or redundant. */
  async open(dataFiles: readonly DataFile[], { mayWrite }: { mayWrite: boolean }): Promise<void> {
    const found: StoredGroup[] = []
    for (const name of await listFolder(this.layout.filters)) {
      if (!name.endsWith('.group')) continue
      const path = joinPath(this.layout.filters, name)
      const group = KeyGroup.fromBytes((await findBytes(path)) ?? new Uint8Array())
      if (group !== undefined) found.push(Object.assign(group, { path }))
      else if (mayWrite) await this.discard(path, 'damaged, or of an earlier version')
    }
    const uncovered = new Set(dataFiles.map(({ fileName }) => fileName))
    const kept: StoredGroup[] = []
    for (const group of found.toSorted((x, y) => y.keys - x.keys)) {
      const before = uncovered.size
      for (const name of group.fileNames) uncovered.delete(name)
      if (uncovered.size < before) kept.push(group)
      else if (mayWrite) await this.discard(group.path, 'its files are gone or covered by other groups')
    }
    this.replace(kept)
  }

  planFor(dataFiles: readonly DataFile[]): LookupPlan {
    if (this.cachedPlan?.dataFiles === dataFiles) return this.cachedPlan.plan
    const left = new Map(dataFiles.map((dataFile) => [dataFile.fileName, dataFile]))
    const groups = this.stored.map(({ filter, fileNames }) => {
      const members = dataFiles.filter(({ fileName }) => fileNames.has(fileName) && left.delete(fileName))
      return { filter, dataFiles: members }
    })
    const plan = { groups: groups.filter((group) => group.dataFiles.length > 0), ungrouped: [...left.values()] }
    this.cachedPlan = { dataFiles, plan }
    return plan
  }

  /**
   * Merges files into a group if that is due. One step.
   *
   * @param keyFileFor the key file of a data file, if usable
   * @returns whether a group changed
   */
  async regroup(
    dataFiles: readonly DataFile[],
    keyFileFor: (dataFile: DataFile) => KeyFile | undefined,
  ): Promise<boolean> {
    const chosen = selectGroupMerge(dataFiles, this.stored, (dataFile) => keyFileFor(dataFile) !== undefined)
    if (chosen === undefined) return false
    const kept = this.stored.filter((group) => !chosen.replaced.includes(group))
    this.replace(chosen.members.length === 0 ? kept : [...kept, await this.write(chosen.members, keyFileFor)])
    for (const { path } of chosen.replaced) await removeFile(path)
    return true
  }

  private async write(
    members: readonly DataFile[],
    keyFileFor: (dataFile: DataFile) => KeyFile | undefined,
  ): Promise<StoredGroup> {
    const filter = SplitBlockBloomFilter.withCapacity(
      members.reduce((sum, dataFile) => sum + (keyFileFor(dataFile)?.count ?? 0), 0),
    )
    const slice = new TimeSlice()
    const fileNames: string[] = []
    let keys = 0
    for (const dataFile of members) {
      const file = keyFileFor(dataFile)
      if (file === undefined) continue
      for await (const page of file.pages()) {
        for (let at = 0; at < page.length; at += 2) filter.add(wordAt(page, at + 1), wordAt(page, at))
        keys += page.length / 2
        if (slice.expired) await slice.yield()
      }
      fileNames.push(dataFile.fileName)
    }
    const group = new KeyGroup(fileNames, keys, filter)
    const path = joinPath(this.layout.filters, `${uuid()}.group`)
    await writeFileDurably(path, group.toBytes())
    return Object.assign(group, { path })
  }

  private replace(stored: readonly StoredGroup[]): void {
    this.stored = stored
    this.cachedPlan = undefined
  }

  private async discard(path: string, why: string): Promise<void> {
    this.log?.info({ file: path, why }, 'removed a key group')
    await removeFile(path)
  }
}
