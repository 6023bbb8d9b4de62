import type { ReadLimits } from '../../runtime/duck/reader.ts'
import { fileMatcher, isWholly } from '../data-files/data-file.ts'
import type { ParquetFiles } from '../parquet/parquet-files.ts'
import type { PinnedTable } from '../table/pinned-table.ts'
import { statedCounts } from './count-values.ts'
import { type FewRowsRead, fewRowsOf } from './few-rows-of.ts'
import { noteFiles } from './project-relation.ts'
import type { RowConditions } from './row-conditions.ts'
import type { RowsWanted } from './rows-wanted.ts'
import { type AnyOf, predicateOf, type ReadHints, type Snapshot } from './snapshot.ts'

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
    return await fewRowsOf({ files, limits, pinned, wanted: predicateOf(projectId, hints, anyOf), conditions, rows })
  }

  /** How many rows files have, if the statistics and the key files of the files say so. */
  async count(): Promise<number | undefined> {
    const { pinned, projectId } = this
    const { table, files, damaged, hidden } = pinned
    const maybe = files.dataFiles.filter(fileMatcher(table, { projectId }))
    if (this.isHidden || damaged.among(maybe).length > 0) return undefined
    noteFiles(pinned, projectId)
    const hiddenIn = await hidden.keysIn(projectId, maybe)
    let count = 0
    for (const dataFile of maybe) {
      const hiddenRows = hiddenIn.get(dataFile)?.length
      if (hiddenRows === undefined || !isWholly(table, dataFile, projectId)) return undefined
      count += dataFile.rows - hiddenRows
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
