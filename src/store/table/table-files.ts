import { limits } from '../../limits.ts'
import { removeFile } from '../../platform/files.ts'
import type { Segment } from '../data-files/segment.ts'
import type { SegmentList } from '../data-files/segments.ts'
import type { TableLayout } from '../layout.ts'
import type { FileChange } from './file-commits.ts'
import type { Retired } from './retired.ts'

/** Which files make up a table now, and which ones readers of earlier moments still hold. */
export class TableFiles {
  private readonly layout: TableLayout
  private readonly retired: Retired
  private current: SegmentList = { segments: [], pins: 0 }
  /** Earlier lists that readers may still hold. */
  private earlier: SegmentList[] = []

  constructor(layout: TableLayout, retired: Retired) {
    this.layout = layout
    this.retired = retired
  }

  get segments(): readonly Segment[] {
    return this.current.segments
  }

  /** The files that a start found. */
  begin(segments: readonly Segment[]): void {
    this.current = { segments, pins: 0 }
  }

  /** The current list, held until its `pins` are counted down again. */
  pin(): SegmentList {
    this.current.pins++
    return this.current
  }

  /**
   * Moves to other files. Those that it replaced are removed when nobody holds a list that has them, and not before a while has passed:
   * other programs may have read in the Delta log that they are the table.
   */
  replace({ segments, removed }: FileChange<Segment>): void {
    const holders = this.moveTo(segments)
    for (const segment of removed) this.retire(segment, holders)
  }

  /** Moves to the files that another program has committed. Those that it replaced are that program's to remove; only our filters go. */
  follow({ segments, removed }: FileChange<Segment>): void {
    const holders = this.moveTo(segments)
    for (const { fileName } of removed) {
      const remove = async () => {
        if (this.has(fileName)) return
        await removeFile(this.layout.filter(fileName))
        await removeFile(this.layout.keys(fileName))
      }
      this.retired.add({ isFree: () => holders.every((list) => list.pins === 0), remove }, { keptMs: 0 })
    }
  }

  /** Files that this store replaced before it was stopped, and how long they are still to stay. */
  retireEarlier(fileName: string, keptMs: number): void {
    this.retired.add({ isFree: () => true, remove: () => this.remove(fileName) }, { keptMs })
  }

  /** @returns the lists that readers may hold */
  private moveTo(segments: readonly Segment[]): SegmentList[] {
    const holders = [...this.earlier.filter((list) => list.pins > 0), this.current]
    this.earlier = holders
    this.current = { segments, pins: 0 }
    return holders
  }

  private retire(segment: Segment, holders: readonly SegmentList[]): void {
    // Whoever began before the file came does not hold it, and may go on for hours. And only what is needed is remembered: a list has the
    // filters of all its files.
    let held = holders.filter(({ segments }) => segments.includes(segment))
    const isFree = () => {
      held = held.filter((list) => list.pins > 0)
      return held.length === 0
    }
    this.retired.add({ isFree, remove: () => this.remove(segment.fileName) }, { keptMs: limits.replacedFilesKeptMs })
  }

  private async remove(fileName: string): Promise<void> {
    // Another program may have taken it into the table again, by going back to an earlier version.
    if (this.has(fileName)) return
    await removeFile(this.layout.parquet(fileName))
    await removeFile(this.layout.filter(fileName))
    await removeFile(this.layout.keys(fileName))
  }

  private has(name: string): boolean {
    return this.current.segments.some(({ fileName }) => fileName === name)
  }
}
