import type { Branch, RowRanges } from '../../lib/relation.ts'
import { typedNulls } from '../../runtime/duck/column-types.ts'
import { readCost } from '../../runtime/platform/read-cost.ts'
import { columnOfPath, type DataFile, type FilePredicate, fileMatcher, hasOnlyValue } from '../data-files/data-file.ts'
import type { PathColumns } from '../data-files/path-columns.ts'
import { timeBoundsOf } from '../data-files/time-bounds.ts'
import type { PinnedTable } from '../table/pinned-table.ts'

/** For a request that asks what it costs. */
export function noteFiles({ table, layout, files }: PinnedTable, projectId: string): void {
  const cost = readCost()
  if (cost === undefined) return
  for (const { fileName } of files.dataFiles.filter(fileMatcher(table, { projectId })))
    cost.filesOfProjects.add(layout.parquet(fileName))
}

/** Files that are read in the same way, as the source of a branch. */
export function filesOfProject(
  { table, layout }: PinnedTable,
  group: readonly DataFile[],
  wanted: FilePredicate,
  rowRanges: RowRanges | undefined,
): Extract<Branch['source'], { kind: 'files' }> {
  const paths = group.map((dataFile) => layout.parquet(dataFile.fileName))
  const isOfProject = (dataFile: DataFile) => hasOnlyValue(dataFile, table.key[0], wanted.projectId)
  const isVisible = ({ statistics }: DataFile) => statistics.nullCount[table.presenceColumn] === 0
  const onlyProject = group.every(isOfProject) ? wanted.projectId : undefined
  const areAllVisible = group.every(isVisible)
  const counts = (dataFile: DataFile) => isOfProject(dataFile) && isVisible(dataFile) && dataFile.deletedRows === ''
  const counted = {
    projectId: wanted.projectId,
    rows: group.reduce((sum, dataFile) => sum + (counts(dataFile) ? dataFile.rows : 0), 0),
    otherPaths: paths.filter((_, at) => !counts(group[at]!)),
  }
  const pathColumns = wantedOf(group[0]!, wanted)
  const times = group.map((dataFile) => timeBoundsOf(table, dataFile))
  const files = { kind: 'files', paths, times, ...shapeOf(group[0]!), onlyProject, areAllVisible, pathColumns } as const
  return rowRanges === undefined ? { ...files, counted } : { ...files, rowRanges }
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
