import { limits } from '../../limits.ts'
import { removeFile } from '../../platform/files.ts'
import type { TableLayout } from '../layout.ts'
import type { Segment } from '../segment/segment.ts'
import type { SegmentList } from '../segment/segments.ts'
import type { Retired } from './retired.ts'

/** Files that took the place of others. */
export interface FileChange {
  /** All files of the table from now on. */
  readonly segments: readonly Segment[]
  readonly removed: readonly Segment[]
}

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
  replace({ segments, removed }: FileChange): void {
    const holders = [...this.earlier.filter((list) => list.pins > 0), this.current]
    this.earlier = holders
    this.current = { segments, pins: 0 }
    for (const segment of removed) this.retire(segment, holders)
  }

  private retire(segment: Segment, holders: readonly SegmentList[]): void {
    const { fileName } = segment
    // Whoever began before the file came does not hold it, and may go on for hours. And only what is needed is remembered: a list has the
    // filters of all its files.
    let held = holders.filter(({ segments }) => segments.includes(segment))
    const isFree = () => {
      held = held.filter((list) => list.pins > 0)
      return held.length === 0
    }
    const remove = async () => {
      await removeFile(this.layout.parquet(fileName))
      await removeFile(this.layout.filter(fileName))
      await removeFile(this.layout.keys(fileName))
    }
    this.retired.add({ isFree, remove }, { keptMs: limits.replacedFilesKeptMs })
  }
}
