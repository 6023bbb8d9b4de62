import type { ReadLimits } from '../../runtime/duck/reader.ts'
import { type FilePredicate, fileMatcher, hasOnlyValue } from '../data-files/data-file.ts'
import type { ParquetFiles } from '../parquet/parquet-files.ts'
import type { PinnedTable } from '../table/pinned-table.ts'
import { statedCounts } from './count-values.ts'
import type { RowsWanted } from './few-rows.ts'
import { type FewRowsRead, fewRowsOf } from './few-rows-of.ts'
import { noteFiles } from './files-of-project.ts'
import type { RowConditions } from './row-conditions.ts'
import type { AnyOf, ReadHints, Snapshot } from './snapshot.ts'

/**
 * One project's rows of a table at a moment when all of them were in data files. Nothing here needs
 * DuckDB. Every answer may be undefined: then only a snapshot has it.
 */
export class FilesSnapshot implements Pick<Snapshot, 'fewRows'> {
  private readonly files: ParquetFiles
  private readonly limits: ReadLimits
  private readonly pinned: PinnedTable
  private readonly projectId: string

  constructor(options: { files: ParquetFiles; limits: ReadLimits; pinned: PinnedTable; projectId: string }) {
    this.files = options.files
    this.limits = options.limits
    this.pinned = options.pinned
    this.projectId = options.projectId
  }

  async fewRows(
    _: string,
    anyOf: AnyOf,
    hints: ReadHints,
    conditions: RowConditions,
    rows: RowsWanted,
  ): Promise<FewRowsRead | undefined> {
    const { files, limits, pinned, projectId } = this
    if (this.isHidden) return undefined
    noteFiles(pinned, projectId)
    const wanted: FilePredicate = { ...hints, projectId, anyOf: new Map(Object.entries(anyOf)) }
    return await fewRowsOf({ files, reader: undefined, limits, pinned, wanted, conditions, rows, inMemory: undefined })
  }

  /** How many rows there are, if the statistics of the files say so. */
  count(): number | undefined {
    const { table, files, damaged } = this.pinned
    const maybe = files.dataFiles.filter(fileMatcher(table, { projectId: this.projectId }))
    if (this.isHidden || damaged.among(maybe).length > 0) return undefined
    noteFiles(this.pinned, this.projectId)
    let count = 0
    for (const dataFile of maybe) {
      const isVisible = dataFile.statistics.nullCount[table.presenceColumn] === 0
      const isOfProject = hasOnlyValue(dataFile, table.key[0], this.projectId)
      if (!isVisible || !isOfProject || dataFile.deletedRows !== '') return undefined
      count += dataFile.rows
    }
    return count
  }

  /**
   * How many rows have one of some values in a column, or `columnPath`, if all files count them.
   */
  async countOf(column: string, values: readonly string[], hints: ReadHints): Promise<number | undefined> {
    if (this.isHidden) return undefined
    const { counts, files, restRows } = await statedCounts(this.pinned, { ...hints, projectId: this.projectId }, column)
    if (restRows > 0 || files.size === 0) return undefined
    noteFiles(this.pinned, this.projectId)
    return new Set(values).values().reduce((sum, value) => sum + (counts.get(value) ?? 0), 0)
  }

  /** Whether the project is being erased. */
  private get isHidden(): boolean {
    return this.pinned.hiddenProjects.has(this.projectId)
  }
}
