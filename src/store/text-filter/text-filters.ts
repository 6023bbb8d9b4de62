import type { TextCondition } from '../../kernel/text-condition.ts'
import { limits } from '../../limits.ts'
import type { Log } from '../../log.ts'
import type { DataFile, RowRanges } from '../data-files/data-file.ts'
import type { TableLayout } from '../layout.ts'
import { TextFilterFile } from './text-filter-file.ts'
import { type GramCondition, gramConditionOf, rowsThatMayMatch } from './text-segments.ts'

/** The rows that may match, by data file. Of files that are not listed, any row may match. */
export type MatchingRows = ReadonlyMap<DataFile, RowRanges>

/** The text filters of a table's data files. Only what is needed to read them is kept in memory. */
export class TextFilters {
  private readonly layout: TableLayout
  private readonly log: Log
  /** By data file name; undefined if there is no usable filter. */
  private readonly files = new Map<string, TextFilterFile | undefined>()
  /** Names of data files that need no filter. */
  private readonly small = new Set<string>()

  constructor(layout: TableLayout, log: Log) {
    this.layout = layout
    this.log = log
  }

  async lookUp(dataFiles: readonly DataFile[], condition: TextCondition): Promise<MatchingRows> {
    const found = new Map<DataFile, RowRanges>()
    const grams = gramConditionOf(condition)
    if (grams === undefined) return found
    this.forgetAllBut(dataFiles)
    const queue = dataFiles.values()
    const work = async () => {
      for (const dataFile of queue) {
        const ranges = await this.rangesOf(dataFile, grams)
        if (ranges !== undefined) found.set(dataFile, ranges)
      }
    }
    await Promise.all(Array.from({ length: limits.textFiltersReadAtOnce }, work))
    return found
  }

  /** Files that may lack a usable filter, or have too little text for one. */
  async filesWithout(dataFiles: readonly DataFile[]): Promise<DataFile[]> {
    const without: DataFile[] = []
    for (const dataFile of dataFiles)
      if (!this.small.has(dataFile.fileName) && (await this.fileOf(dataFile)) === undefined) without.push(dataFile)
    return without
  }

  /** Call when the filter of a file has been written, or when it turned out to need none. */
  wasRebuilt({ fileName }: DataFile, isSmall: boolean): void {
    this.files.delete(fileName)
    if (isSmall) this.small.add(fileName)
  }

  private async fileOf({ fileName }: DataFile): Promise<TextFilterFile | undefined> {
    if (!this.files.has(fileName)) this.files.set(fileName, await TextFilterFile.find(this.layout.texts(fileName)))
    return this.files.get(fileName)
  }

  private async rangesOf(dataFile: DataFile, grams: GramCondition): Promise<RowRanges | undefined> {
    // A filter only repeats what the data file says, so an unreadable one fails no request.
    try {
      const file = await this.fileOf(dataFile)
      if (file === undefined) return undefined
      const ranges = await rowsThatMayMatch(file, grams)
      if (ranges === undefined) this.files.set(dataFile.fileName, undefined)
      return ranges
    } catch (err) {
      this.log.warn({ err, file: dataFile.fileName }, 'cannot read the text filter of a data file')
      return undefined
    }
  }

  /** Files that readers still hold are simply opened again. */
  private forgetAllBut(dataFiles: readonly DataFile[]): void {
    if (this.files.size <= dataFiles.length) return
    const names = new Set(dataFiles.map(({ fileName }) => fileName))
    for (const known of [this.files, this.small])
      for (const name of known.keys()) if (!names.has(name)) known.delete(name)
  }
}
