import { v7 as uuid } from 'uuid'
import type { Log } from '../../runtime/log.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import { writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { findBytes, listFolder, removeFile } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { KeyFile } from '../keys/key-file.ts'
import { SplitBlockBloomFilter } from '../keys/split-block-bloom-filter.ts'
import type { TableLayout } from '../layout.ts'
import { KeyGroup } from './key-group.ts'
import { selectGroupMerge } from './select-group-merge.ts'

interface StoredGroup extends Pick<KeyGroup, 'fileNames' | 'keys' | 'filter'> {
  readonly path: string
}

/**
 * How to look up a key in a list of files: grouped files share one filter, the others are asked one
 * by one.
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
      else if (mayWrite) await this.discard(path, 'damaged')
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
        for (let at = 0; at < page.length; at += 2) filter.add(page[at + 1]!, page[at]!)
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
