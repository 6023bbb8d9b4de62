import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt } from '../../lib/present.ts'
import type { Branch, RowRanges } from '../../lib/relation.ts'
import { typedNulls } from '../../runtime/duck/column-types.ts'
import type { ReadLimits } from '../../runtime/duck/reader.ts'
import { readCost } from '../../runtime/platform/read-cost.ts'
import {
  columnOfPath,
  type DataFile,
  type FilePredicate,
  fileMatcher,
  hasOnlyValue,
  timeBoundsOf,
} from '../data-files/data-file.ts'
import type { PathColumns } from '../data-files/path-tags.ts'
import type { ParquetFiles } from '../parquet/parquet-files.ts'
import type { PinnedTable } from '../table/pinned-table.ts'
import { statedCounts } from './count-values.ts'
import { type FewRowsRead, fewRowsOf } from './few-rows-of.ts'
import type { RowConditions } from './row-conditions.ts'
import type { RowsWanted } from './rows-wanted.ts'
import type { AnyOf, ReadHints, Snapshot } from './snapshot.ts'

/** For a request that asks what it costs. */
export function noteFiles({ table, layout, files }: PinnedTable, projectId: string): void {
  const cost = readCost()
  if (cost === undefined) return
  for (const { fileName } of files.dataFiles.filter(fileMatcher(table, { projectId })))
    cost.filesOfProjects.add(layout.parquet(fileName))
}

/** How many rows of each file newer layers hide, where that is known; undefined if it is not. */
export type HiddenIn = ReadonlyMap<DataFile, number> | 'none' | undefined

/** Files that are read in the same way, as the source of a branch. */
export function filesOfProject(
  { table, layout }: PinnedTable,
  group: readonly DataFile[],
  wanted: FilePredicate,
  { rowRanges, hiddenIn }: { rowRanges: RowRanges | undefined; hiddenIn: HiddenIn },
): Extract<Branch['source'], { kind: 'files' }> {
  const paths = group.map((dataFile) => layout.parquet(dataFile.fileName))
  const isOfProject = (dataFile: DataFile) => hasOnlyValue(dataFile, table.key[0], wanted.projectId)
  const isVisible = ({ statistics }: DataFile) => statistics.nullCount[table.presenceColumn] === 0
  const onlyProject = group.every(isOfProject) ? wanted.projectId : undefined
  const areAllVisible = group.every(isVisible)
  const isCounted = (dataFile: DataFile) => isOfProject(dataFile) && isVisible(dataFile) && dataFile.deletedRows === ''
  const countOf = (dataFile: DataFile): number | undefined => {
    const hidden = hiddenIn === 'none' ? 0 : hiddenIn?.get(dataFile)
    return isCounted(dataFile) && hidden !== undefined ? dataFile.rows - hidden : undefined
  }
  const counted = {
    projectId: wanted.projectId,
    rows: group.reduce((sum, dataFile) => sum + (countOf(dataFile) ?? 0), 0),
    otherPaths: paths.filter((_, at) => countOf(itemAt(group, at)) === undefined),
  }
  const pathColumns = wantedOf(itemAt(group, 0), wanted)
  const times = group.map((dataFile) => timeBoundsOf(table, dataFile))
  const files = {
    kind: 'files',
    paths,
    times,
    sizes: group.map((dataFile) => {
      const matching = Math.ceil(dataFile.bytes * shareOf(dataFile, rowRanges))
      return { matching, project: isOfProject(dataFile) ? dataFile.bytes : matching }
    }),
    ...shapeOf(itemAt(group, 0)),
    onlyProject,
    areAllVisible,
    pathColumns,
  } as const
  return rowRanges === undefined ? { ...files, counted } : { ...files, rowRanges }
}

/** The share of a file's rows that are in some ranges. */
function shareOf({ rows }: DataFile, ranges: RowRanges | undefined): number {
  if (ranges === undefined || rows === 0) return 1
  return Math.min(1, ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0) / rows)
}

/** The other columns may hold other paths in other files of the group. */
function wantedOf(dataFile: DataFile, { paths = [] }: FilePredicate): PathColumns {
  const columns = paths.map((path) => [path, columnOfPath(dataFile, path)] as const)
  return new Map(columns.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** How files that are read in the same way differ from what this store writes. */
export const shapeOf = ({ missing, converted, deletedRows }: DataFile) => ({
  missing: typedNulls(missing),
  converted,
  ...(deletedRows !== '' && { deletedRows }),
})

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
    return await fewRowsOf({ files, limits, pinned, wanted, conditions, rows, inMemory: undefined })
  }

  /** How many rows files have, if the statistics and the key files of the files say so. */
  async count(): Promise<number | undefined> {
    const { table, files, damaged, hidden } = this.pinned
    const maybe = files.dataFiles.filter(fileMatcher(table, { projectId: this.projectId }))
    if (this.isHidden || damaged.among(maybe).length > 0) return undefined
    noteFiles(this.pinned, this.projectId)
    const masked = hidden.atMostOf(this.projectId)
    if (masked > storageLimits.hiddenRowsCountedMax) return undefined
    const hiddenIn = masked === 0 ? undefined : await hidden.countIn(maybe)
    let count = 0
    for (const dataFile of maybe) {
      const isVisible = dataFile.statistics.nullCount[table.presenceColumn] === 0
      const isOfProject = hasOnlyValue(dataFile, table.key[0], this.projectId)
      const ofFile = hiddenIn === undefined ? 0 : hiddenIn.get(dataFile)
      if (!isVisible || !isOfProject || dataFile.deletedRows !== '' || ofFile === undefined) return undefined
      count += dataFile.rows - ofFile
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
