import { limits } from '../../lib/limits.ts'
import type { RowRanges } from '../../lib/relation.ts'
import type { TextCondition } from '../../lib/text-condition.ts'
import type { Log } from '../../runtime/log.ts'
import type { TableLayout } from '../layout.ts'
import { TextFilterFile } from './text-filter-file.ts'
import { type GramCondition, gramConditionOf, rowsThatMayMatch } from './text-segments.ts'

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

  /**
   * The rows of these data files that may match, by file name. Of files that are not listed, any
   * row may match.
   */
  async lookUp(fileNames: readonly string[], condition: TextCondition): Promise<ReadonlyMap<string, RowRanges>> {
    const found = new Map<string, RowRanges>()
    const grams = gramConditionOf(condition)
    if (grams === undefined) return found
    const queue = fileNames.values()
    const work = async () => {
      for (const fileName of queue) {
        const ranges = await this.rangesOf(fileName, grams)
        if (ranges !== undefined) found.set(fileName, ranges)
      }
    }
    await Promise.all(Array.from({ length: limits.textFiltersReadAtOnce }, work))
    return found
  }

  /** Those of all data files of a table that may need a filter and have no usable one. */
  async filesWithout<F extends { readonly fileName: string }>(dataFiles: readonly F[]): Promise<F[]> {
    const names = new Set(dataFiles.map(({ fileName }) => fileName))
    for (const known of [this.files, this.small])
      for (const name of known.keys()) if (!names.has(name)) known.delete(name)
    const without: F[] = []
    for (const dataFile of dataFiles) {
      const { fileName } = dataFile
      if (!this.small.has(fileName) && (await this.fileOf(fileName)) === undefined) without.push(dataFile)
    }
    return without
  }

  /** Call when the filter of a file has been written, or when it turned out to need none. */
  wasRebuilt(fileName: string, isSmall: boolean): void {
    this.files.delete(fileName)
    if (isSmall) this.small.add(fileName)
  }

  private async fileOf(fileName: string): Promise<TextFilterFile | undefined> {
    if (!this.files.has(fileName)) this.files.set(fileName, await TextFilterFile.find(this.layout.texts(fileName)))
    return this.files.get(fileName)
  }

  private async rangesOf(fileName: string, grams: GramCondition): Promise<RowRanges | undefined> {
    // A filter only repeats what the data file says, so an unreadable one fails no request.
    try {
      const file = await this.fileOf(fileName)
      if (file === undefined) return undefined
      const ranges = await rowsThatMayMatch(file, grams)
      if (ranges === undefined) this.files.set(fileName, undefined)
      return ranges
    } catch (err) {
      this.log.warn({ err, file: fileName }, 'cannot read the text filter of a data file')
      return undefined
    }
  }
}
