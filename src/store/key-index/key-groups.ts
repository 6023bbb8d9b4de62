import { v7 as uuid } from 'uuid'
import type { Log } from '../../log.ts'
import { writeFileDurably } from '../../platform/durable-files.ts'
import { findBytes, listFolder, removeFile } from '../../platform/files.ts'
import { joinPath } from '../../platform/paths.ts'
import { Turn } from '../../platform/yield.ts'
import type { Segment } from '../data-files/segment.ts'
import { BlockFilter } from '../keys/block-filter.ts'
import type { KeyFile } from '../keys/key-file.ts'
import type { TableLayout } from '../layout.ts'
import { chooseForGroup } from './choose-for-group.ts'
import { KeyGroup } from './key-group.ts'

interface StoredGroup extends Pick<KeyGroup, 'fileNames' | 'keys' | 'filter'> {
  readonly path: string
}

/** How the files of one list are asked for a key: those of a group together first, the others one by one. */
export interface Plan {
  readonly groups: readonly { readonly filter: BlockFilter; readonly segments: readonly Segment[] }[]
  readonly ungrouped: readonly Segment[]
}

/** The groups of files of one table, in memory and on the disk. */
export class KeyGroups {
  private readonly layout: TableLayout
  private readonly log: Log | undefined
  private stored: readonly StoredGroup[] = []
  private planned: { segments: readonly Segment[]; plan: Plan } | undefined

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

  /** Reads what is on the disk, and with `mayWrite` removes what is damaged there or says nothing about these files. */
  async open(segments: readonly Segment[], { mayWrite }: { mayWrite: boolean }): Promise<void> {
    const found: StoredGroup[] = []
    for (const name of await listFolder(this.layout.filters)) {
      if (!name.endsWith('.group')) continue
      const path = joinPath(this.layout.filters, name)
      const group = KeyGroup.fromBytes((await findBytes(path)) ?? new Uint8Array())
      if (group !== undefined) found.push(Object.assign(group, { path }))
      else if (mayWrite) await this.discard(path, 'it is damaged')
    }
    const uncovered = new Set(segments.map(({ fileName }) => fileName))
    const kept: StoredGroup[] = []
    for (const group of found.toSorted((x, y) => y.keys - x.keys)) {
      const before = uncovered.size
      for (const name of group.fileNames) uncovered.delete(name)
      if (uncovered.size < before) kept.push(group)
      else if (mayWrite) await this.discard(group.path, 'other groups have its files, or they are gone')
    }
    this.replace(kept)
  }

  planFor(segments: readonly Segment[]): Plan {
    if (this.planned?.segments === segments) return this.planned.plan
    const left = new Map(segments.map((segment) => [segment.fileName, segment]))
    const groups = this.stored.map(({ filter, fileNames }) => {
      const members = segments.filter(({ fileName }) => fileNames.has(fileName) && left.delete(fileName))
      return { filter, segments: members }
    })
    const plan = { groups: groups.filter((group) => group.segments.length > 0), ungrouped: [...left.values()] }
    this.planned = { segments, plan }
    return plan
  }

  /**
   * Puts files together into a group where that is due. One step.
   *
   * @param keyFileOf what is known of the keys of a file
   * @returns whether something was done
   */
  async regroup(segments: readonly Segment[], keyFileOf: (segment: Segment) => KeyFile | undefined): Promise<boolean> {
    const chosen = chooseForGroup(segments, this.stored, (segment) => keyFileOf(segment) !== undefined)
    if (chosen === undefined) return false
    const kept = this.stored.filter((group) => !chosen.replaced.includes(group))
    this.replace(chosen.members.length === 0 ? kept : [...kept, await this.write(chosen.members, keyFileOf)])
    for (const { path } of chosen.replaced) await removeFile(path)
    return true
  }

  private async write(
    members: readonly Segment[],
    keyFileOf: (segment: Segment) => KeyFile | undefined,
  ): Promise<StoredGroup> {
    const filter = BlockFilter.ofSize(members.reduce((sum, segment) => sum + (keyFileOf(segment)?.count ?? 0), 0))
    const turn = new Turn()
    const fileNames: string[] = []
    let keys = 0
    for (const segment of members) {
      const file = keyFileOf(segment)
      if (file === undefined) continue
      for await (const page of file.pages()) {
        for (let at = 0; at < page.length; at += 2) filter.add(page[at + 1]!, page[at]!)
        keys += page.length / 2
        if (turn.isOver) await turn.next()
      }
      fileNames.push(segment.fileName)
    }
    const group = new KeyGroup(fileNames, keys, filter)
    const path = joinPath(this.layout.filters, `${uuid()}.group`)
    await writeFileDurably(path, group.toBytes())
    return Object.assign(group, { path })
  }

  private replace(stored: readonly StoredGroup[]): void {
    this.stored = stored
    this.planned = undefined
  }

  private async discard(path: string, why: string): Promise<void> {
    this.log?.info({ file: path, why }, 'the filter of a group of files is removed')
    await removeFile(path)
  }
}
