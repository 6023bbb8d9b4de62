import { forEachConcurrent } from '../../lib/concurrency.ts'
import { lakeLimits } from '../../lib/limits/objects.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { RowRanges } from '../../lib/relation.ts'
import { union } from '../../lib/row-ranges.ts'
import type { Table } from '../../lib/table.ts'
import type { Log } from '../../runtime/log.ts'
import { findSection } from '../index-file/index-file.ts'
import { sectionVersions } from '../index-file/index-file-format.ts'
import { SectionReaders } from '../index-file/section-readers.ts'
import { LastUsed } from '../last-used.ts'
import type { TableLayout } from '../layout.ts'
import { ValueIndexFile } from './value-index-file.ts'
import type { Blocks } from './value-index-format.ts'
import { type IndexedFile, needsValueIndex } from './write-value-index.ts'

/**
 * Values, one of which every wanted row has, by column, or by `columnPath` for a path in JSON,
 * whose values are JSON texts.
 */
export type WantedValues = ReadonlyMap<string, readonly string[]>

/** Where the rows of a project are in a file, which has them next to each other. */
export interface ProjectRows {
  readonly first: number
  readonly rows: number
}

interface Indexed extends Pick<IndexedFile, 'rows' | 'pathColumns'> {
  readonly fileName: string
}

/**
 * The value indexes of a table's data files. Only the metadata needed to read them is kept in
 * memory. See docs/decisions/155-value-indexes.md.
 */
export class ValueIndexes {
  private readonly table: Table
  private readonly layout: TableLayout
  private readonly sections: SectionReaders<Indexed, ValueIndexFile>
  private readonly pages = new LastUsed<Uint32Array>(storageLimits.valueIndexCacheBytes)
  private readonly counts = new Map<string, ReadonlyMap<string, ReadonlyMap<string | null, number>>>()

  constructor(table: Table, layout: TableLayout, log: Log | undefined) {
    this.table = table
    this.layout = layout
    this.sections = new SectionReaders(layout, log, {
      what: 'value index',
      open: async ({ fileName, rows }) => {
        const place = needsValueIndex(table, rows) ? await findSection(layout, fileName, 'values') : undefined
        const file = place?.version === sectionVersions.values ? await ValueIndexFile.find(place) : undefined
        return file?.blocks.rows === rows ? file : undefined
      },
    })
  }

  /**
   * The rows of these data files that may match, by file name. Of files that are not listed, any
   * row may match.
   */
  async lookUp(dataFiles: readonly Indexed[], wanted: WantedValues): Promise<ReadonlyMap<string, RowRanges>> {
    const found = new Map<string, RowRanges>()
    const few = new Map([...wanted].filter(([, values]) => values.length <= storageLimits.locatedValuesMax))
    if (few.size === 0) return found
    // Many of them would be too much to fetch.
    if (dataFiles.length <= lakeLimits.filesWithoutFilterMax && !(await this.fetchUnknown(dataFiles))) return found
    await forEachConcurrent(dataFiles, storageLimits.valueIndexesReadAtOnce, async (dataFile) => {
      const ranges = await this.rangesIn(dataFile, few)
      if (ranges !== undefined) found.set(dataFile.fileName, ranges)
    })
    return found
  }

  /**
   * How many visible rows of a project have each value of a column, or path, in a data file.
   *
   * @returns undefined if the file does not say
   */
  async countsOf(
    dataFile: Indexed,
    projectId: string,
    columnOrPath: string,
  ): Promise<ReadonlyMap<string | null, number> | undefined> {
    const column = columnIn(dataFile, columnOrPath)
    if (column === undefined) return undefined
    const counts = await this.sections.read(dataFile, (file) => this.countsIn(file, dataFile, column))
    return counts && (counts.get(projectId) ?? new Map())
  }

  /**
   * Where the visible rows of a project are in a data file, which is sorted by project. If it has
   * invisible rows, too, they are nearby.
   *
   * @returns undefined if the file does not say
   */
  async rowsOfProject(dataFile: Indexed, projectId: string): Promise<ProjectRows | undefined> {
    for (const column of this.table.counted ?? []) {
      const counts = await this.sections.read(dataFile, (file) => this.countsIn(file, dataFile, column))
      if (counts === undefined) continue
      let first = 0
      for (const [project, ofProject] of counts) {
        const rows = ofProject.values().reduce((sum, calls) => sum + calls, 0)
        if (project === projectId) return { first, rows }
        first += rows
      }
      return { first: 0, rows: 0 }
    }
    return undefined
  }

  /** Those of all data files of a table, if at hand, that need an index and have no usable one. */
  filesWithout<F extends Indexed>(dataFiles: readonly F[]): Promise<F[]> {
    return this.sections.filesWithout(dataFiles.filter(({ rows }) => needsValueIndex(this.table, rows)))
  }

  /** Call when the index of a file has been written. */
  wasRebuilt(fileName: string): void {
    this.sections.wasRebuilt(fileName)
  }

  /**
   * Fetches the indexes that have not been read yet, of which several parts will be.
   *
   * @returns whether that has succeeded
   */
  private async fetchUnknown(dataFiles: readonly Indexed[]): Promise<boolean> {
    const unknown = dataFiles.filter(
      (dataFile) => !this.sections.isKnown(dataFile) && needsValueIndex(this.table, dataFile.rows),
    )
    const { files } = this.layout
    const fetched = await Promise.allSettled(
      unknown.map(({ fileName }) => files.fetchSmall(this.layout.index(fileName))),
    )
    return fetched.every(({ status }) => status === 'fulfilled')
  }

  private async rangesIn(dataFile: Indexed, wanted: WantedValues): Promise<RowRanges | undefined> {
    let blocks: readonly number[] | undefined
    for (const [columnOrPath, values] of wanted) {
      const column = columnIn(dataFile, columnOrPath)
      const found =
        column && (await this.sections.read(dataFile, (file) => this.blocksIn(file, dataFile, column, values)))
      if (found === undefined || found === '') continue
      const known = blocks && new Set(blocks)
      blocks = known === undefined ? found : found.filter((block) => known.has(block))
      if (blocks.length === 0) return []
    }
    const left = blocks
    return left && (await this.sections.read(dataFile, async (file) => rangesOf(left, file.blocks)))
  }

  /** @returns undefined if the file is damaged, null if it does not say */
  private async blocksIn(
    file: ValueIndexFile,
    dataFile: Indexed,
    column: string,
    values: readonly string[],
  ): Promise<readonly number[] | undefined | null> {
    if (file.locates(column)) return await file.blocksOf(column, values, this.pages)
    if (!file.counts(column)) return null
    const counts = await this.countsIn(file, dataFile, column)
    if (counts === undefined || counts === null) return counts
    const has = [...counts.values()].some((ofProject) => values.some((value) => ofProject.has(value)))
    return has ? null : []
  }

  private async countsIn(
    file: ValueIndexFile,
    { fileName }: Indexed,
    column: string,
  ): Promise<ReadonlyMap<string, ReadonlyMap<string | null, number>> | undefined | null> {
    if (!file.counts(column)) return null
    const key = `${fileName}\n${column}`
    const known = this.counts.get(key)
    if (known !== undefined) return known
    const read = await file.valueCounts(column)
    if (read === undefined) return undefined
    const counts = new Map(read.map(([project, ofProject]) => [project, new Map(ofProject)] as const))
    this.counts.set(key, counts)
    for (const oldest of this.counts.keys()) {
      if (this.counts.size <= storageLimits.valueCountsKept) break
      this.counts.delete(oldest)
    }
    return counts
  }
}

/** The column of a data file that holds a column, or the values at a path. */
export const columnIn = ({ pathColumns }: Indexed, columnOrPath: string): string | undefined =>
  columnOrPath.includes('/') ? pathColumns.get(columnOrPath) : columnOrPath

function rangesOf(blocks: readonly number[], { rows, blockRows }: Blocks): RowRanges {
  const starts = blocks.map((block) => block * blockRows).filter((first) => first < rows)
  return union(starts.map((first) => [first, Math.min(rows, first + blockRows) - 1]))
}
