import { v7 as uuid } from 'uuid'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { Log } from '../../runtime/log.ts'
import { listFolder, removeFile } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { PlaceInGroup } from '../data-files/file-filter.ts'
import { findFilter } from '../data-files/open-data-files.ts'
import type { KeyFile } from '../keys/key-file.ts'
import type { TableLayout } from '../layout.ts'
import type { BlockCache } from './block-cache.ts'
import { KeyGroup } from './key-group.ts'
import { type GroupMember, writeKeyGroup } from './write-key-group.ts'

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
 * of the number of files. A group that mostly covers removed files, or is damaged, is
 * dissolved.
 *
 * @param isReady whether the hashes of a data file can be read
 * @returns undefined if nothing is due
 */
export function selectGroupMerge<Group extends Pick<KeyGroup, 'fileNames' | 'keys' | 'isDamaged'>>(
  dataFiles: readonly DataFile[],
  groups: readonly Group[],
  isReady: (dataFile: DataFile) => boolean,
): GroupMerge<Group> | undefined {
  const live = groups.map((group) => {
    const names = new Set(group.fileNames)
    const members = dataFiles.filter(({ fileName }) => names.has(fileName))
    return { group, members, rows: rowsOf(members) }
  })
  const stale = live.filter(({ group, rows }) => rows * 2 < group.keys || rows === 0 || group.isDamaged)
  const whole = live.filter((one) => !stale.includes(one))
  const covered = new Set(whole.flatMap(({ members }) => members))
  let rows = 0
  const { groupRowsMax, ungroupedFilesMax } = storageLimits
  const isFit = (dataFile: DataFile) => dataFile.rows <= groupRowsMax && isReady(dataFile)
  const uncovered = dataFiles.filter((dataFile) => !covered.has(dataFile) && isFit(dataFile))
  if (uncovered.length < ungroupedFilesMax)
    return stale.length === 0 ? undefined : { members: [], replaced: stale.map(({ group }) => group) }
  const members = uncovered.filter((dataFile) => {
    const fits = rows + dataFile.rows <= groupRowsMax
    if (fits) rows += dataFile.rows
    return fits
  })
  // Files for the next step stay where they are until then.
  const later = new Set(uncovered).difference(new Set(members))
  const isEmptied = ({ members }: { members: readonly DataFile[] }) => !members.some((dataFile) => later.has(dataFile))
  const replaced = stale.filter(isEmptied).map(({ group }) => group)
  for (const smaller of whole.toSorted((x, y) => x.rows - y.rows)) {
    if (smaller.rows > rows || rows + smaller.rows > groupRowsMax) break
    rows += smaller.rows
    members.push(...smaller.members.filter((dataFile) => isReady(dataFile) && !members.includes(dataFile)))
    replaced.push(smaller.group)
  }
  return { members, replaced }
}

const rowsOf = (dataFiles: readonly DataFile[]): number => dataFiles.reduce((sum, { rows }) => sum + rows, 0)

/** How to look up a key in a list of files: in the groups, and in the other files one by one. */
export interface LookupPlan {
  readonly groups: readonly GroupInPlan[]
  readonly ungrouped: readonly DataFile[]
}

interface PlaceInKeyGroup extends PlaceInGroup {
  readonly group: KeyGroup
}

interface GroupInPlan {
  readonly group: KeyGroup
  /** By their numbers in the group. */
  readonly dataFiles: ReadonlyMap<number, DataFile>
}

/** The key groups of one table. */
export class KeyGroupSet {
  private readonly layout: TableLayout
  private readonly blocks: BlockCache
  private readonly log: Log | undefined
  private stored: readonly KeyGroup[] = []
  private cachedPlan: { dataFiles: readonly DataFile[]; plan: LookupPlan } | undefined

  constructor(layout: TableLayout, blocks: BlockCache, log: Log | undefined) {
    this.layout = layout
    this.blocks = blocks
    this.log = log
  }

  get count(): number {
    return this.stored.length
  }

  /** Finds the groups on disk. With `mayWrite`, removes those that are damaged or redundant. */
  async open(fileNames: readonly string[], { mayWrite }: { mayWrite: boolean }): Promise<void> {
    const found: KeyGroup[] = []
    for (const name of await listFolder(this.layout.filters)) {
      if (!name.endsWith('.group')) continue
      const path = joinPath(this.layout.filters, name)
      const group = await KeyGroup.find(path, this.blocks)
      if (group !== undefined) found.push(group)
      else if (mayWrite) await this.discard(path, 'damaged, or of an earlier version')
    }
    const uncovered = new Set(fileNames)
    const kept: KeyGroup[] = []
    for (const group of found.toSorted((x, y) => y.keys - x.keys)) {
      const before = uncovered.size
      for (const name of group.fileNames) uncovered.delete(name)
      if (uncovered.size < before) kept.push(group)
      else if (mayWrite) await this.discard(group.path, 'its files are gone or covered by other groups')
    }
    this.replace(kept)
  }

  /** The first group that has a data file. */
  placeOf(fileName: string): PlaceInKeyGroup | undefined {
    for (const group of this.stored) {
      const number = group.numberOf(fileName)
      if (number !== undefined) return { group, number }
    }
    return undefined
  }

  planFor(dataFiles: readonly DataFile[]): LookupPlan {
    if (this.cachedPlan?.dataFiles === dataFiles) return this.cachedPlan.plan
    const groups = new Map<KeyGroup, Map<number, DataFile>>()
    const ungrouped: DataFile[] = []
    for (const dataFile of dataFiles) {
      const place = this.placeOf(dataFile.fileName)
      if (place === undefined) {
        ungrouped.push(dataFile)
        continue
      }
      // Another engine may have changed what is visible of a file in a group.
      if (!dataFile.filter.isInGroup) dataFile.filter.join(place)
      const members = groups.get(place.group) ?? new Map<number, DataFile>()
      groups.set(place.group, members.set(place.number, dataFile))
    }
    const plan = { groups: [...groups].map(([group, dataFiles]) => ({ group, dataFiles })), ungrouped }
    this.cachedPlan = { dataFiles, plan }
    return plan
  }

  /**
   * Merges files into a group if that is due. One step.
   *
   * @param isReady whether the hashes of a data file can be read
   * @param listsOf those hashes, keys first; undefined if they cannot
   * @returns whether a group changed
   */
  async regroup(
    dataFiles: readonly DataFile[],
    isReady: (dataFile: DataFile) => boolean,
    listsOf: (dataFile: DataFile) => Promise<readonly KeyFile[] | undefined>,
  ): Promise<boolean> {
    const chosen = selectGroupMerge(dataFiles, this.stored, isReady)
    if (chosen === undefined) return false
    for (const { path, isDamaged } of chosen.replaced)
      if (isDamaged) this.log?.warn({ file: path }, 'a key group is damaged; its files are grouped again')
    const written = chosen.members.length === 0 ? undefined : await this.write(chosen.members, listsOf)
    const kept = this.stored.filter((group) => !chosen.replaced.includes(group))
    this.replace(written === undefined ? kept : [...kept, written])
    await this.settle(dataFiles)
    for (const { path } of chosen.replaced) await removeFile(path)
    return true
  }

  /**
   * Lets files join and leave groups. Of those that leave one, filters are read while there is
   * room, the newest first. As at a start, everything may be in the others until they are in a
   * group.
   */
  private async settle(dataFiles: readonly DataFile[]): Promise<void> {
    const leaving: DataFile[] = []
    let room = this.blocks.bytesMax
    for (const dataFile of dataFiles) {
      const { fileName, filter } = dataFile
      const place = this.placeOf(fileName)
      if (place !== undefined) filter.join(place)
      else if (filter.isInGroup) leaving.push(dataFile)
      room -= filter.byteLength
    }
    for (const { fileName, filter } of leaving.toReversed()) {
      filter.leave(room > 0 ? await findFilter(this.layout, fileName, room) : undefined)
      room -= filter.byteLength
    }
  }

  private async write(
    members: readonly DataFile[],
    listsOf: (dataFile: DataFile) => Promise<readonly KeyFile[] | undefined>,
  ): Promise<KeyGroup | undefined> {
    const found: GroupMember[] = []
    for (const dataFile of members) {
      const lists = await listsOf(dataFile)
      if (lists !== undefined) found.push({ fileName: dataFile.fileName, lists })
    }
    if (found.length === 0) return undefined
    const path = joinPath(this.layout.filters, `${uuid()}.group`)
    await writeKeyGroup(path, found)
    const group = await KeyGroup.find(path, this.blocks)
    if (group !== undefined) return group
    // Without it the same files would be chosen again and again.
    await removeFile(path)
    throw new Error(`Cannot read the key group ${path} that was just written`)
  }

  private replace(stored: readonly KeyGroup[]): void {
    this.stored = stored
    this.cachedPlan = undefined
  }

  private async discard(path: string, why: string): Promise<void> {
    this.log?.info({ file: path, why }, 'removed a key group')
    await removeFile(path)
  }
}
