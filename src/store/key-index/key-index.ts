import type { Table } from '../../kernel/table.ts'
import type { Log } from '../../log.ts'
import { Turn } from '../../platform/yield.ts'
import { type Segment, withinBounds } from '../data-files/segment.ts'
import { hashValue } from '../keys/id-filter.ts'
import { KeyFile } from '../keys/key-file.ts'
import type { TableLayout } from '../layout.ts'
import { type RowKey, splitKey } from '../row-key.ts'
import { KeyGroups } from './key-groups.ts'

/** Files, and the keys of which they have any. */
export interface Holding {
  readonly segments: readonly Segment[]
  readonly mayHold: readonly RowKey[]
}

/**
 * Tells which data files of a table have a row of a key, without opening them: filters of groups of files in memory, then those of single
 * files, then one page of a file's key file. It follows whatever list of files it is asked about. A file that it has never seen, or whose key
 * file is missing or damaged, is asked by its filter alone until `repair` has made a new one.
 */
export class KeyIndex {
  private readonly table: Table
  private readonly layout: TableLayout
  private readonly log: Log | undefined
  private readonly groups: KeyGroups
  /** By name of the data file; undefined for those whose key file cannot be used. */
  private readonly files = new Map<string, KeyFile | undefined>()

  /** @param log undefined where only a reader asks, which changes nothing and calls neither `open` nor `regroup` */
  constructor(table: Table, layout: TableLayout, log?: Log) {
    this.table = table
    this.layout = layout
    this.log = log
    this.groups = new KeyGroups(layout, log)
  }

  /** Reads what is on the disk beside these files; what is missing there comes with `withoutKeyFile` and `regroup`. */
  open(segments: readonly Segment[], options: { mayWrite: boolean }): Promise<void> {
    return this.groups.open(segments, options)
  }

  get figures(): { readonly memoryBytes: number; readonly groups: number } {
    let ofFiles = 0
    for (const file of this.files.values()) ofFiles += file?.memoryBytes ?? 0
    return { memoryBytes: this.groups.memoryBytes + ofFiles, groups: this.groups.count }
  }

  /** The files that have any of the keys, and those keys. Others among them are possible only where a key file is missing. */
  async holding(segments: readonly Segment[], keys: readonly RowKey[]): Promise<Holding> {
    if (segments.length === 0 || keys.length === 0) return { segments: [], mayHold: [] }
    const hashes = await this.hashesOf(keys)
    const holders: Segment[] = []
    const found = new Set<number>()
    for (const [segment, places] of await this.candidates(segments, hashes)) {
      const held = await this.confirmed(segment, hashes, places, keys)
      if (held.length > 0) holders.push(segment)
      for (const place of held) found.add(place)
    }
    return { segments: holders, mayHold: [...found].map((place) => keys[place]!) }
  }

  /** Files whose key file is missing or damaged, so that it has to be made. */
  async withoutKeyFile(segments: readonly Segment[]): Promise<Segment[]> {
    const missing: Segment[] = []
    for (const segment of segments) if ((await this.keyFileOf(segment)) === undefined) missing.push(segment)
    return missing
  }

  /** To be called when the key file of a data file has been made again. */
  renewed({ fileName }: Segment): void {
    this.files.delete(fileName)
  }

  /** Puts files together into a group where that is due: one step. @returns whether something was done */
  regroup(segments: readonly Segment[]): Promise<boolean> {
    const names = new Set(segments.map(({ fileName }) => fileName))
    for (const name of this.files.keys()) if (!names.has(name)) this.files.delete(name)
    return this.groups.regroup(segments, ({ fileName }) => this.files.get(fileName))
  }

  private async hashesOf(keys: readonly RowKey[]): Promise<Uint32Array> {
    const hashes = new Uint32Array(keys.length * 2)
    const turn = new Turn()
    for (const [place, key] of keys.entries()) {
      if (turn.isOver) await turn.next()
      const [project, id] = splitKey(key)
      const { a, b } = hashValue(this.table.key[1], project, id)
      hashes[place * 2] = b
      hashes[place * 2 + 1] = a
    }
    return hashes
  }

  /** For each file, the places of the hashes that the filters in memory do not rule out. */
  private async candidates(segments: readonly Segment[], hashes: Uint32Array): Promise<Map<Segment, number[]>> {
    const plan = this.groups.planFor(segments)
    const candidates = new Map<Segment, number[]>()
    const turn = new Turn()
    const ask = async (segment: Segment, places: readonly number[]) => {
      const held = places.filter((place) =>
        segment.filter.mayHold({ a: hashes[place * 2 + 1]!, b: hashes[place * 2]! }),
      )
      if (held.length > 0) candidates.set(segment, held)
      await turn.nextIfOver()
    }
    const all = Array.from({ length: hashes.length / 2 }, (_, place) => place)
    for (const group of plan.groups) {
      const places = all.filter((place) => group.filter.mayHold(hashes[place * 2 + 1]!, hashes[place * 2]!))
      await turn.nextIfOver()
      if (places.length > 0) for (const segment of group.segments) await ask(segment, places)
    }
    for (const segment of plan.ungrouped) await ask(segment, all)
    return candidates
  }

  private async confirmed(
    segment: Segment,
    hashes: Uint32Array,
    places: readonly number[],
    keys: readonly RowKey[],
  ): Promise<readonly number[]> {
    const file = await this.keyFileOf(segment)
    if (file !== undefined) {
      const held = await this.unlessBroken(segment, file.holding(hashes, places))
      if (held !== undefined) return held
      this.files.set(segment.fileName, undefined)
    }
    const [projectColumn, idColumn] = this.table.key
    return places.filter((place) => {
      const [project, id] = splitKey(keys[place]!)
      return withinBounds(segment, projectColumn, project) && withinBounds(segment, idColumn, id)
    })
  }

  private async keyFileOf(segment: Segment): Promise<KeyFile | undefined> {
    const { fileName } = segment
    if (!this.files.has(fileName))
      this.files.set(fileName, await this.unlessBroken(segment, KeyFile.find(this.layout.keys(fileName))))
    return this.files.get(fileName)
  }

  /** The data file says the same as its key file, so one that cannot be read fails nobody. */
  private async unlessBroken<T>({ fileName }: Segment, reading: Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await reading
    } catch (err) {
      this.log?.warn({ err, file: fileName }, 'the key file of a data file cannot be read')
      return undefined
    }
  }
}
