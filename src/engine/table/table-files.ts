import { removeFile } from '../../runtime/platform/files/files.ts'
import type { DataFile } from '../data-files/data-file.ts'
import type { DataFileList } from '../data-files/open-data-files.ts'
import type { TableLayout } from '../layout.ts'
import type { DeferredDeletes } from './deferred-deletes.ts'
import type { FileChange } from './file-commits.ts'

/** The files of a table now, and earlier lists of files that readers still hold. */
export class TableFiles {
  private readonly layout: TableLayout
  private readonly deferredDeletes: DeferredDeletes
  private readonly versionsKeptMs: number
  private current: DataFileList = { dataFiles: [], pins: 0 }
  /** Earlier lists that readers may still hold. */
  private earlier: DataFileList[] = []

  /** @param versionsKeptMs how long replaced files are kept */
  constructor(layout: TableLayout, deferredDeletes: DeferredDeletes, versionsKeptMs: number) {
    this.layout = layout
    this.deferredDeletes = deferredDeletes
    this.versionsKeptMs = versionsKeptMs
  }

  get dataFiles(): readonly DataFile[] {
    return this.current.dataFiles
  }

  /** Sets the files found at startup. */
  init(dataFiles: readonly DataFile[]): void {
    this.current = { dataFiles, pins: 0 }
  }

  /** Pins the current list until its `pins` are decremented again. */
  pin(): DataFileList {
    this.current.pins++
    return this.current
  }

  /** Keeps the current files on disk until `work` is done. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const list = this.pin()
    try {
      return await work()
    } finally {
      list.pins--
    }
  }

  /**
   * Switches to other files. Replaced files are removed once no reader holds them and their
   * retention time is over: other engines may have just read in the Delta log that they are
   * current.
   */
  replace({ dataFiles, removed }: FileChange<DataFile>): void {
    const holders = this.setCurrent(dataFiles)
    for (const dataFile of removed) this.retire(dataFile, holders)
  }

  /**
   * Switches to the files that another engine committed. Removing replaced files is up to that
   * engine; only our index files go.
   */
  follow({ dataFiles, removed }: FileChange<DataFile>): void {
    const holders = this.setCurrent(dataFiles)
    for (const { fileName } of removed)
      this.removeLater(holders, async () => {
        if (this.has(fileName)) return
        for (const file of this.layout.indexFiles(fileName)) await removeFile(file)
      })
  }

  /** Removes the files that the index of a data file has replaced, once no reader needs them. */
  removeEarlierIndexes(fileName: string): void {
    this.removeLater(this.setCurrent(this.current.dataFiles), async () => {
      for (const file of Object.values(this.layout.earlierIndexes(fileName))) await removeFile(file)
    })
  }

  /** Schedules a file that this store replaced before its last shutdown, at the given time. */
  retirePrevious(fileName: string, replacedMs: number, nowMs: number): void {
    const retentionMs = replacedMs + this.versionsKeptMs - nowMs
    this.removeLater([], () => this.remove(fileName), retentionMs)
  }

  /** @returns the lists that readers may hold */
  private setCurrent(dataFiles: readonly DataFile[]): DataFileList[] {
    const holders = [...this.earlier.filter((list) => list.pins > 0), this.current]
    this.earlier = holders
    this.current = { dataFiles, pins: 0 }
    return holders
  }

  private retire(dataFile: DataFile, holders: readonly DataFileList[]): void {
    // Readers that began before the file existed do not hold it and may run for hours.
    const held = holders.filter(({ dataFiles }) => dataFiles.includes(dataFile))
    this.removeLater(held, () => this.remove(dataFile.fileName), this.versionsKeptMs)
  }

  /** Removes something once no reader holds any of the lists, and the retention time is over. */
  private removeLater(holders: readonly DataFileList[], remove: () => Promise<void>, retentionMs = 0): void {
    // Only the lists that are still held are retained: each has the filters of all its files.
    let held = holders
    const isUnreferenced = () => {
      held = held.filter((list) => list.pins > 0)
      return held.length === 0
    }
    this.deferredDeletes.add({ isUnreferenced, remove }, { retentionMs })
  }

  private async remove(fileName: string): Promise<void> {
    // Another engine may have restored it by going back to an earlier version.
    if (this.has(fileName)) return
    await removeFile(this.layout.parquet(fileName))
    for (const file of this.layout.indexFiles(fileName)) await removeFile(file)
    await this.layout.keeper.forget(fileName)
  }

  private has(name: string): boolean {
    return this.current.dataFiles.some(({ fileName }) => fileName === name)
  }
}
