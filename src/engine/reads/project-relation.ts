import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt } from '../../lib/present.ts'
import type { Branch, Relation, RowRanges } from '../../lib/relation.ts'
import { commonRows, rowsIn } from '../../lib/row-ranges.ts'
import type { Table } from '../../lib/table.ts'
import { typedNulls } from '../../runtime/duck/column-types.ts'
import { readCost } from '../../runtime/platform/read-cost.ts'
import {
  columnOfPath,
  type DataFile,
  type FilePredicate,
  fileMatcher,
  hasOnlyValue,
  isWholly,
  timeBoundsOf,
} from '../data-files/data-file.ts'
import { groupByShape, oldestFirst } from '../data-files/open-data-files.ts'
import type { PathColumns } from '../data-files/path-tags.ts'
import { sampleRows } from '../data-files/sample-rows.ts'
import { lastRowsOf, selectLast } from '../data-files/select-last.ts'
import { splitByRows } from '../data-files/split-by-rows.ts'
import type { Memtable } from '../memtable/memtable.ts'
import { refuseDamaged } from '../table/damaged-files.ts'
import type { KeysByFile } from '../table/hidden-keys.ts'
import { loadFiltersFor, type PinnedTable } from '../table/pinned-table.ts'
import type { ProjectRows } from '../value-index/value-indexes.ts'
import type { RowConditions } from './row-conditions.ts'

/** For a request that asks what it costs. */
export function noteFiles({ table, layout, files }: PinnedTable, projectId: string): void {
  const cost = readCost()
  if (cost === undefined) return
  for (const { fileName } of files.dataFiles.filter(fileMatcher(table, { projectId })))
    cost.filesOfProjects.add(layout.parquet(fileName))
}

/** Files as the source of a branch, or a memtable. */
type Source = Branch['source']

/** How the memtables are read. */
interface MemtableBranches {
  /** Whether a memtable hides wanted rows of older layers. */
  readonly masks: (memtable: Memtable) => boolean
  readonly recentSince?: (memtable: Memtable) => number | undefined
  readonly areLeftOut?: boolean | undefined
}

/** The branches of some files and of the memtables with rows. */
function relationOver(
  { table, active, sealed, activeHasRows, sealedHasRows }: PinnedTable,
  files: readonly Source[],
  { masks, recentSince, areLeftOut = false }: MemtableBranches,
): Relation {
  const masksOf = (memtables: readonly (Memtable | undefined)[]) =>
    memtables.flatMap((memtable) => (memtable && masks(memtable) ? [memtable.maskName] : []))
  const sourceOf = (memtable: Memtable): Source => ({
    kind: 'table',
    name: memtable.tableName,
    recentSince: recentSince?.(memtable),
  })
  const branches: Branch[] = files.map((source) => ({ source, masks: masksOf([sealed, active]) }))
  if (sealed && sealedHasRows && !areLeftOut) branches.push({ source: sourceOf(sealed), masks: masksOf([active]) })
  if (activeHasRows && !areLeftOut) branches.push({ source: sourceOf(active), masks: [] })
  const isEmpty = branches.length === 0
  // For statements that read it all the same.
  if (isEmpty && !areLeftOut) branches.push({ source: sourceOf(active), masks: [] })
  return { branches, key: table.key, presenceColumn: table.presenceColumn, isEmpty }
}

/**
 * The branches of a table across projects.
 *
 * @param options.withHidden whether hidden rows show: no mask applies, and invisible rows are there
 */
export function relationOfAll(pinned: PinnedTable, { withHidden }: { withHidden: boolean }): Relation {
  const { table, layout, files, damaged } = pinned
  refuseDamaged(table, damaged.among(files.dataFiles))
  const sources = groupByShape(files.dataFiles).map(
    (group): Source => ({
      kind: 'files',
      paths: group.map(({ fileName }) => layout.parquet(fileName)),
      ...shapeOf(itemAt(group, 0)),
      areAllVisible: areAllVisible(table, group),
    }),
  )
  return relationOver(pinned, sources, { masks: ({ masked }) => !withHidden && masked.size > 0 })
}

/**
 * The branches of a table that may contain rows of the predicate.
 *
 * @param hiddenIn rows that newer layers hide, by file; of others it is not known
 */
export function relationOf(pinned: PinnedTable, wanted: FilePredicate, hiddenIn?: KeysByFile): Relation {
  const { table, files, damaged, hidden, hiddenProjects } = pinned
  const { projectId, lastRows, among = () => true } = wanted
  // The active memtable has no rows of a project that is being erased.
  if (hiddenProjects.has(projectId))
    return relationOver({ ...pinned, sealedHasRows: false }, [], { masks: () => false })
  noteFiles(pinned, projectId)
  const maybe = files.dataFiles.filter(among).filter(fileMatcher(table, wanted))
  const masked = hidden.atMostOf(projectId)
  const last = lastRows === undefined ? undefined : { projectId, rows: lastRows, hidden: masked }
  const matching = last === undefined ? maybe : selectLast(table, maybe, last)
  const rowRanges = last === undefined ? wanted.rowRanges : lastRowsOf(table, matching, last)
  refuseDamaged(table, damaged.among(matching), projectId)
  const hiddenRows = (dataFile: DataFile) => (masked === 0 ? 0 : hiddenIn?.get(dataFile)?.length)
  const sources = splitByRows(oldestFirst(table, matching), rowRanges).flatMap(({ dataFiles, rowRanges: ranges }) =>
    groupByShape(dataFiles, wanted.paths).map((group) =>
      filesOfProject(pinned, group, wanted, { rowRanges: ranges, hiddenRows }),
    ),
  )
  return relationOver(pinned, sources, {
    masks: ({ masked }) => (masked.perProject.get(projectId) ?? 0) > 0,
    recentSince: ({ recentTimes }) => recentTimes.since(projectId),
    areLeftOut: wanted.isOfFilesOnly,
  })
}

/** The same for rows that all meet some conditions. */
export async function relationWhere(
  pinned: PinnedTable,
  wanted: FilePredicate,
  { values, text }: RowConditions,
): Promise<Relation> {
  const { table, files, textFilters, valueIndexes, hidden } = pinned
  await loadFiltersFor(pinned, wanted)
  const located = [...(wanted.anyOf ?? [])].filter(([column]) => table.located?.includes(column))
  const allValues = new Map([...(values ?? []), ...located])
  const matching = files.dataFiles.filter(fileMatcher(table, wanted))
  if (text === undefined && allValues.size === 0)
    return relationOf(pinned, wanted, await hidden.keysIn(wanted.projectId, matching))
  const byValue = await valueIndexes.lookUp(matching, allValues)
  if (text === undefined) return relationOf(pinned, { ...wanted, rowRanges: byValue })
  const left = matching.flatMap(({ fileName }) => (byValue.get(fileName)?.length === 0 ? [] : [fileName]))
  const byText = await textFilters.lookUp(left, text)
  return relationOf(pinned, { ...wanted, rowRanges: commonRows(byValue, byText) })
}

/**
 * The rows in memory, and a sample of those in data files; undefined if there are not enough of
 * them to leave any out.
 */
export async function sampleOf(pinned: PinnedTable, wanted: FilePredicate): Promise<Relation | undefined> {
  const sample = pinned.hiddenProjects.has(wanted.projectId) ? undefined : await sampleOfFiles(pinned, wanted)
  if (sample === undefined) return undefined
  const rowRanges = new Map([...sample].map(([{ fileName }, ranges]) => [fileName, ranges]))
  return relationOf(pinned, { ...wanted, rowRanges, among: (dataFile) => sample.has(dataFile) })
}

/**
 * A sample of the rows of a project in data files that have a column for each wanted path;
 * undefined if there are not enough of them to leave any out.
 */
async function sampleOfFiles(
  { table, files, valueIndexes }: PinnedTable,
  wanted: FilePredicate,
): Promise<ReadonlyMap<DataFile, RowRanges> | undefined> {
  const { projectId, paths = [] } = wanted
  const matching = oldestFirst(table, files.dataFiles.filter(fileMatcher(table, wanted)))
  if (matching.reduce((sum, { rows }) => sum + rows, 0) <= storageLimits.sampledRowsMin) return undefined
  const known: (readonly [DataFile, ProjectRows])[] = []
  let rows = 0
  for (const dataFile of matching) {
    const ofProject = hasOnlyValue(dataFile, table.key[0], projectId)
      ? { first: 0, rows: dataFile.rows }
      : await valueIndexes.rowsOfProject(dataFile, projectId)
    rows += ofProject?.rows ?? dataFile.rows
    const hasColumns = paths.every((path) => dataFile.pathColumns.has(path))
    if (ofProject !== undefined && ofProject.rows > 0 && hasColumns) known.push([dataFile, ofProject])
  }
  // Elsewhere the whole JSON would be read, within a limited time.
  const knownRows = known.reduce((sum, [, { rows }]) => sum + rows, 0)
  return rows > storageLimits.sampledRowsMin && knownRows * 2 >= rows ? sampleRows(known) : undefined
}

const areAllVisible = ({ presenceColumn }: Table, dataFiles: readonly DataFile[]): boolean =>
  dataFiles.every(({ statistics }) => statistics.nullCount[presenceColumn] === 0)

interface FileRows {
  /** The only rows that may match. */
  readonly rowRanges: RowRanges | undefined
  /** How many rows of a file newer layers hide; undefined if that is not known. */
  readonly hiddenRows: (dataFile: DataFile) => number | undefined
}

/** Files that are read in the same way, as the source of a branch. */
function filesOfProject(
  { table, layout }: PinnedTable,
  group: readonly DataFile[],
  wanted: FilePredicate,
  { rowRanges, hiddenRows }: FileRows,
): Source {
  const { projectId } = wanted
  const paths = group.map((dataFile) => layout.parquet(dataFile.fileName))
  const isOnly = (dataFile: DataFile) => hasOnlyValue(dataFile, table.key[0], projectId)
  const countOf = (dataFile: DataFile): number | undefined => {
    const hidden = isWholly(table, dataFile, projectId) ? hiddenRows(dataFile) : undefined
    return hidden === undefined ? undefined : dataFile.rows - hidden
  }
  const counted = {
    projectId,
    rows: group.reduce((sum, dataFile) => sum + (countOf(dataFile) ?? 0), 0),
    otherPaths: paths.filter((_, at) => countOf(itemAt(group, at)) === undefined),
  }
  const files = {
    kind: 'files',
    paths,
    times: group.map((dataFile) => timeBoundsOf(table, dataFile)),
    sizes: group.map((dataFile) => {
      const matching = Math.ceil(dataFile.bytes * shareOf(dataFile, rowRanges))
      return { matching, project: isOnly(dataFile) ? dataFile.bytes : matching }
    }),
    ...shapeOf(itemAt(group, 0)),
    onlyProject: group.every(isOnly) ? projectId : undefined,
    areAllVisible: areAllVisible(table, group),
    pathColumns: wantedOf(itemAt(group, 0), wanted),
  } as const
  return rowRanges === undefined ? { ...files, counted } : { ...files, rowRanges }
}

/** The share of a file's rows that are in some ranges. */
const shareOf = ({ rows }: DataFile, ranges: RowRanges | undefined): number =>
  ranges === undefined || rows === 0 ? 1 : Math.min(1, rowsIn(ranges) / rows)

/** The other columns may hold other paths in other files of the group. */
function wantedOf(dataFile: DataFile, { paths = [] }: FilePredicate): PathColumns {
  const columns = paths.map((path) => [path, columnOfPath(dataFile, path)] as const)
  return new Map(columns.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** How files that are read in the same way differ from what this store writes. */
const shapeOf = ({ missing, converted, deletedRows }: DataFile) => ({
  missing: typedNulls(missing),
  converted,
  ...(deletedRows !== '' && { deletedRows }),
})
