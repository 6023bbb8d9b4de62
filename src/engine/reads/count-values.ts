import { forEachConcurrent } from '../../lib/concurrency.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt } from '../../lib/present.ts'
import type { Table } from '../../lib/table.ts'
import {
  type DataFile,
  type FilePredicate,
  fileMatcher,
  hasOnlyValue,
  isWithin,
  timeBoundsOf,
} from '../data-files/data-file.ts'
import { isOwnName } from '../data-files/file-names.ts'
import type { PinnedTable } from '../table/pinned-table.ts'
import { hiddenValues, type RunStatement } from './hidden-values.ts'

/** The counts of a column's values that data files state. */
export interface StatedCounts {
  /** Visible rows of the project by value, null for those without one. */
  readonly counts: ReadonlyMap<string | null, number>
  /** Names of the files that state it. */
  readonly files: ReadonlySet<string>
  /** Rows of the other files that may hold wanted rows. */
  readonly restRows: number
}

/** Rows of a project by value, null for those without one, for each data file that states them. */
export type CountsByFile = ReadonlyMap<string, ReadonlyMap<string | null, number>>

/**
 * Adds up the counts that the value indexes state for a column, or `columnPath`, of files all of
 * whose rows count: they are intact, within the wanted times, and no newer layer hides a row; with
 * `run`, also of files with hidden rows, less the values of these.
 */
export async function statedCounts(
  pinned: PinnedTable,
  wanted: FilePredicate,
  column: string,
  run?: RunStatement,
): Promise<StatedCounts> {
  const { table, files, valueIndexes, hiddenProjects } = pinned
  const { projectId } = wanted
  const isHidden = hiddenProjects.has(projectId)
  const matching = isHidden ? [] : files.dataFiles.filter(fileMatcher(table, wanted))
  const { whole, touched } = await fitFiles(pinned, wanted, matching)
  const counts = new Map<string | null, number>()
  const stated = new Set<string>()
  const asked = run === undefined ? whole : [...whole, ...touched]
  await forEachConcurrent(asked, storageLimits.valueIndexesReadAtOnce, async (dataFile) => {
    const found =
      countByProject(table, dataFile, { projectId, column }) ??
      (await valueIndexes.countsOf(dataFile, projectId, column))
    if (found === undefined) return
    for (const [value, calls] of found) counts.set(value, (counts.get(value) ?? 0) + calls)
    stated.add(dataFile.fileName)
  })
  const restRows = matching.reduce((sum, { fileName, rows }) => sum + (stated.has(fileName) ? 0 : rows), 0)
  const dataFiles = touched.filter(({ fileName }) => stated.has(fileName))
  if (run !== undefined && dataFiles.length > 0)
    for (const [value, calls] of await hiddenValues(pinned, { projectId, column, dataFiles }, run)) {
      const left = (counts.get(value) ?? 0) - calls
      if (left === 0) counts.delete(value)
      else counts.set(value, left)
    }
  return { counts, files: stated, restRows }
}

/** The count of the column of the project, which the statistics of a file may tell. */
function countByProject(
  { key, order, presenceColumn }: Table,
  dataFile: DataFile,
  { projectId, column }: { readonly projectId: string; readonly column: string },
): ReadonlyMap<string, number> | undefined {
  // Others may round times in another direction.
  if (column !== key[0] || !isOwnName(dataFile.fileName)) return undefined
  if (!hasOnlyValue(dataFile, column, projectId)) return undefined
  const { nullCount } = dataFile.statistics
  // The bounds of times say nothing of rows without one.
  const areAllDated = nullCount[presenceColumn] === 0 && nullCount[itemAt(order, 1)] === 0
  return areAllDated ? new Map([[projectId, dataFile.rows]]) : undefined
}

/**
 * The counts that value indexes state for a column, or `columnPath`, of the data files that may
 * hold wanted rows, by file name. Files that state none are not listed.
 */
export async function countsByFile(
  { table, files, valueIndexes, hiddenProjects }: PinnedTable,
  wanted: FilePredicate,
  column: string,
): Promise<CountsByFile> {
  const stated = new Map<string, ReadonlyMap<string | null, number>>()
  if (hiddenProjects.has(wanted.projectId)) return stated
  const matching = files.dataFiles.filter(fileMatcher(table, wanted))
  await forEachConcurrent(matching, storageLimits.valueIndexesReadAtOnce, async (dataFile) => {
    const counts = await valueIndexes.countsOf(dataFile, wanted.projectId, column)
    if (counts !== undefined) stated.set(dataFile.fileName, counts)
  })
  return stated
}

/** The data files all of whose rows of a project count, the newest first. */
export async function wholeFilesOf(pinned: PinnedTable, projectId: string): Promise<readonly DataFile[]> {
  const { table, files, hiddenProjects } = pinned
  if (hiddenProjects.has(projectId)) return []
  const wanted = { projectId }
  const { whole } = await fitFiles(pinned, wanted, files.dataFiles.filter(fileMatcher(table, wanted)))
  return whole.toSorted((a, b) => timeBoundsOf(table, b)[1] - timeBoundsOf(table, a)[1] || 0)
}

/** The counts and bounds that data files state for paths in JSON, by `columnPath`. */
export interface StatedPaths {
  /** Rows of the project by value, null for those without one. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<string | null, number>>
  /** Rows of the project in these files. */
  readonly rows: number
}

/**
 * The paths that have columns in the data files all of whose rows of a project count, with the
 * values that their indexes state, but only `wanted` ones. Paths of other projects have no values.
 */
export async function statedPaths(
  pinned: PinnedTable,
  projectId: string,
  isWanted: (path: string) => boolean,
): Promise<StatedPaths> {
  const { valueIndexes } = pinned
  const counts = new Map<string, Map<string | null, number>>()
  const found: (readonly [DataFile, readonly string[]])[] = []
  const whole = await wholeFilesOf(pinned, projectId)
  for (const dataFile of whole) {
    const paths = [...dataFile.pathColumns.keys()].filter(isWanted)
    if (paths.length > 0) found.push([dataFile, paths])
  }
  if (found.length === 0) return { counts, rows: 0 }
  for (const [dataFile, paths] of found)
    for (const path of paths) {
      const stated = await valueIndexes.countsOf(dataFile, projectId, path)
      const ofPath = counts.get(path) ?? new Map<string | null, number>()
      for (const [value, rows] of stated ?? []) ofPath.set(value, (ofPath.get(value) ?? 0) + rows)
      counts.set(path, ofPath)
    }
  const ofProject = await Promise.all(whole.map((dataFile) => valueIndexes.rowsOfProject(dataFile, projectId)))
  return { counts, rows: ofProject.reduce((sum, one) => sum + (one?.rows ?? 0), 0) }
}

/**
 * The intact files within the wanted times of which no newer layer hides a row, and those of which
 * it is known how many it hides.
 */
async function fitFiles(
  { table, damaged, hidden }: PinnedTable,
  { projectId, times }: FilePredicate,
  matching: readonly DataFile[],
): Promise<{ whole: readonly DataFile[]; touched: readonly DataFile[] }> {
  const unfit = new Set(damaged.among(matching))
  const maybe = matching.filter(
    (dataFile) =>
      dataFile.deletedRows === '' &&
      !unfit.has(dataFile) &&
      (times === undefined || isWithin(timeBoundsOf(table, dataFile), times)),
  )
  const hiddenIn = await hidden.keysIn(projectId, maybe)
  return {
    whole: maybe.filter((dataFile) => hiddenIn.get(dataFile)?.length === 0),
    touched: maybe.filter((dataFile) => (hiddenIn.get(dataFile)?.length ?? 0) > 0),
  }
}
