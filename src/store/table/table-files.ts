import { limits } from '../../limits.ts'
import { removeFile } from '../../platform/files.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { DataFileList } from '../data-files/open-data-files.ts'
import type { TableLayout } from '../layout.ts'
import type { DeferredDeletes } from './deferred-deletes.ts'
import type { FileChange } from './file-commits.ts'

/** Which files make up a table now, and which ones readers of earlier moments still hold. */
export class TableFiles {
  private readonly layout: TableLayout
  private readonly deferredDeletes: DeferredDeletes
  private current: DataFileList = { dataFiles: [], pins: 0 }
  /** Earlier lists that readers may still hold. */
  private earlier: DataFileList[] = []

  constructor(layout: TableLayout, deferredDeletes: DeferredDeletes) {
    this.layout = layout
    this.deferredDeletes = deferredDeletes
  }

  get dataFiles(): readonly DataFile[] {
    return this.current.dataFiles
  }

  /** The files that a start found. */
  init(dataFiles: readonly DataFile[]): void {
    this.current = { dataFiles, pins: 0 }
  }

  /** The current list, held until its `pins` are counted down again. */
  pin(): DataFileList {
    this.current.pins++
    return this.current
  }

  /**
   * Moves to other files. Those that it replaced are removed when nobody holds a list that has them, and not before a while has passed:
   * other programs may have read in the Delta log that they are the table.
   */
  replace({ dataFiles, removed }: FileChange<DataFile>): void {
    const holders = this.moveTo(dataFiles)
    for (const dataFile of removed) this.retire(dataFile, holders)
  }

  /** Moves to the files that another program has committed. Those that it replaced are that program's to remove; only our filters go. */
  follow({ dataFiles, removed }: FileChange<DataFile>): void {
    const holders = this.moveTo(dataFiles)
    for (const { fileName } of removed) {
      const remove = async () => {
        if (this.has(fileName)) return
        await removeFile(this.layout.filter(fileName))
        await removeFile(this.layout.keys(fileName))
      }
      this.deferredDeletes.add(
        { isUnreferenced: () => holders.every((list) => list.pins === 0), remove },
        { retentionMs: 0 },
      )
    }
  }

  /** Files that this store replaced before it was stopped, and how long they are still to stay. */
  retirePrevious(fileName: string, retentionMs: number): void {
    this.deferredDeletes.add({ isUnreferenced: () => true, remove: () => this.remove(fileName) }, { retentionMs })
  }

  /** @returns the lists that readers may hold */
  private moveTo(dataFiles: readonly DataFile[]): DataFileList[] {
    const holders = [...this.earlier.filter((list) => list.pins > 0), this.current]
    this.earlier = holders
    this.current = { dataFiles, pins: 0 }
    return holders
  }

  private retire(dataFile: DataFile, holders: readonly DataFileList[]): void {
    // Whoever began before the file came does not hold it, and may go on for hours. And only what is needed is remembered: a list has the
    // filters of all its files.
    let held = holders.filter(({ dataFiles }) => dataFiles.includes(dataFile))
    const isUnreferenced = () => {
      held = held.filter((list) => list.pins > 0)
      return held.length === 0
    }
    this.deferredDeletes.add(
      { isUnreferenced, remove: () => this.remove(dataFile.fileName) },
      { retentionMs: limits.replacedFilesKeptMs },
    )
  }

  private async remove(fileName: string): Promise<void> {
    // Another program may have taken it into the table again, by going back to an earlier version.
    if (this.has(fileName)) return
    await removeFile(this.layout.parquet(fileName))
    await removeFile(this.layout.filter(fileName))
    await removeFile(this.layout.keys(fileName))
  }

  private has(name: string): boolean {
    return this.current.dataFiles.some(({ fileName }) => fileName === name)
  }
}
