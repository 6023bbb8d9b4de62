import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt } from '../../lib/present.ts'
import type { Branch, Relation, RolledUpRelation, RowRanges } from '../../lib/relation.ts'
import type { Reader, ReadLimits } from '../../runtime/duck/reader.ts'
import { type DataFile, type FilePredicate, fileMatcher, hasOnlyValue } from '../data-files/data-file.ts'
import { groupByShape, oldestFirst } from '../data-files/open-data-files.ts'
import { sampleRows } from '../data-files/sample-rows.ts'
import { lastRowsOf, selectLast } from '../data-files/select-last.ts'
import { commonRows, splitByRows } from '../data-files/split-by-rows.ts'
import type { ParquetFiles } from '../parquet/parquet-files.ts'
import { refuseDamaged } from '../table/damaged-files.ts'
import { loadFiltersFor, type PinnedTable } from '../table/pinned-table.ts'
import { type RollupWanted, rolledUpRelation } from '../table/rolled-up-relation.ts'
import type { ProjectRows } from '../value-index/value-indexes.ts'
import {
  type CountsByFile,
  countsByFile,
  type StatedPaths,
  statedCounts,
  statedPaths,
  wholeFilesOf,
} from './count-values.ts'
import { type FewRowsRead, fewRowsOf } from './few-rows-of.ts'
import { filesOfProject, type HiddenIn, noteFiles, shapeOf } from './files-snapshot.ts'
import type { RunStatement } from './hidden-values.ts'
import type { RowConditions } from './row-conditions.ts'
import type { RowsWanted } from './rows-wanted.ts'

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

/**
 * One consistent view of tables: a read transaction over the memtables and a fixed list of data
 * files. Later writes do not show in it. Released by `await using`.
 */
export class PinnedTables implements AsyncDisposable {
  /** The connection whose transaction sees the memtables. */
  readonly reader: Reader
  /** Bounds each statement; the time spent waiting for this view is already deducted. */
  readonly limits: ReadLimits
  private readonly files: ParquetFiles
  private readonly pinned: readonly PinnedTable[]
  private readonly release: () => Promise<void>

  constructor(options: {
    reader: Reader
    files: ParquetFiles
    limits: ReadLimits
    pinned: readonly PinnedTable[]
    release: () => Promise<void>
  }) {
    this.reader = options.reader
    this.files = options.files
    this.limits = options.limits
    this.pinned = options.pinned
    this.release = options.release
  }

  /** All branches of a table, across projects and without masks, so that hidden rows show. */
  unrestrictedRelation(tableName: string): Relation {
    const { table, layout, active, sealed, files, damaged } = this.pinnedTable(tableName)
    refuseDamaged(table, damaged.among(files.dataFiles))
    const branches: Branch[] = groupByShape(files.dataFiles).map((group) => ({
      source: {
        kind: 'files',
        paths: group.map((dataFile) => layout.parquet(dataFile.fileName)),
        ...shapeOf(itemAt(group, 0)),
      },
      masks: [],
    }))
    for (const memtable of sealed ? [sealed, active] : [active])
      branches.push({ source: { kind: 'table', name: memtable.tableName }, masks: [] })
    return { branches, key: table.key, presenceColumn: table.presenceColumn }
  }

  /** The branches of a table that contain rows of any project. */
  relationOfProjects(tableName: string): Relation {
    const pinned = this.pinnedTable(tableName)
    const { table, layout, active, sealed, files, damaged, activeHasRows, sealedHasRows } = pinned
    const masksOf = (memtables: readonly (typeof active | undefined)[]): string[] =>
      memtables.flatMap((memtable) => (memtable && memtable.masked.perProject.size > 0 ? [memtable.maskName] : []))
    refuseDamaged(table, damaged.among(files.dataFiles))
    const branches: Branch[] = groupByShape(files.dataFiles).map((group) => ({
      source: {
        kind: 'files',
        paths: group.map((dataFile) => layout.parquet(dataFile.fileName)),
        ...shapeOf(itemAt(group, 0)),
        areAllVisible: group.every(({ statistics }) => statistics.nullCount[table.presenceColumn] === 0),
      },
      masks: masksOf([sealed, active]),
    }))
    if (sealed && sealedHasRows)
      branches.push({ source: { kind: 'table', name: sealed.tableName }, masks: masksOf([active]) })
    if (activeHasRows || branches.length === 0)
      branches.push({ source: { kind: 'table', name: active.tableName }, masks: [] })
    return { branches, key: table.key, presenceColumn: table.presenceColumn }
  }

  /** The branches of a table that may contain rows of the predicate. */
  relation(tableName: string, wanted: FilePredicate, hiddenIn?: HiddenIn): Relation {
    const pinned = this.pinnedTable(tableName)
    if (pinned.hiddenProjects.has(wanted.projectId)) return withoutRows(pinned)
    const { table, active, sealed, files, damaged, activeHasRows, sealedHasRows } = pinned
    const masksOf = (memtables: readonly (typeof active | undefined)[]): string[] =>
      memtables.flatMap((memtable) =>
        memtable && (memtable.masked.perProject.get(wanted.projectId) ?? 0) > 0 ? [memtable.maskName] : [],
      )
    const branches: Branch[] = []
    const { projectId, lastRows, among = () => true } = wanted
    noteFiles(pinned, projectId)
    const maybe = files.dataFiles.filter(among).filter(fileMatcher(table, wanted))
    const last =
      lastRows === undefined ? undefined : { projectId, rows: lastRows, hidden: pinned.hidden.atMostOf(projectId) }
    const matching = last === undefined ? maybe : selectLast(table, maybe, last)
    const rowRanges = last === undefined ? wanted.rowRanges : lastRowsOf(table, matching, last)
    refuseDamaged(table, damaged.among(matching), projectId)
    const masks = masksOf([sealed, active])
    const known = masks.length === 0 ? 'none' : hiddenIn
    for (const { dataFiles, rowRanges: ranges } of splitByRows(oldestFirst(table, matching), rowRanges))
      for (const group of groupByShape(dataFiles, wanted.paths))
        branches.push({ source: filesOfProject(pinned, group, wanted, { rowRanges: ranges, hiddenIn: known }), masks })
    const relation = { branches, key: table.key, presenceColumn: table.presenceColumn }
    if (wanted.isOfFilesOnly) return relation
    const sourceOf = ({ tableName, recentTimes }: typeof active) =>
      ({ kind: 'table', name: tableName, recentSince: recentTimes.since(projectId) }) as const
    if (sealed && sealedHasRows) branches.push({ source: sourceOf(sealed), masks: masksOf([active]) })
    if (activeHasRows || branches.length === 0) branches.push({ source: sourceOf(active), masks: [] })
    return relation
  }

  /** The same for rows that all meet some conditions. */
  async relationWhere(tableName: string, wanted: FilePredicate, { values, text }: RowConditions): Promise<Relation> {
    const pinned = this.pinnedTable(tableName)
    const { table, files, textFilters, valueIndexes, hidden } = pinned
    await loadFiltersFor(pinned, wanted)
    const located = [...(wanted.anyOf ?? [])].filter(([column]) => table.located?.includes(column))
    const allValues = new Map([...(values ?? []), ...located])
    const matching = files.dataFiles.filter(fileMatcher(table, wanted))
    if (text === undefined && allValues.size === 0) {
      const masked = hidden.atMostOf(wanted.projectId)
      const isKnown = masked > 0 && masked <= storageLimits.hiddenRowsCountedMax
      return this.relation(tableName, wanted, isKnown ? await hidden.countIn(matching) : undefined)
    }
    const byValue = await valueIndexes.lookUp(matching, allValues)
    if (text === undefined) return this.relation(tableName, { ...wanted, rowRanges: byValue })
    const left = matching.flatMap(({ fileName }) => (byValue.get(fileName)?.length === 0 ? [] : [fileName]))
    const byText = await textFilters.lookUp(left, text)
    return this.relation(tableName, { ...wanted, rowRanges: commonRows(byValue, byText) })
  }

  /** The branches of a table with what its rollups cover; undefined if they cover nothing. */
  async rolledUp(tableName: string, wanted: FilePredicate, of: RollupWanted): Promise<RolledUpRelation | undefined> {
    const pinned = this.pinnedTable(tableName)
    if (pinned.hiddenProjects.has(wanted.projectId)) return undefined
    return await rolledUpRelation(pinned, wanted, of, (some) => this.relation(tableName, some))
  }

  /**
   * Counts of values that data files state, and the relation of the rows that they do not count.
   */
  async valueCounts(
    tableName: string,
    wanted: FilePredicate,
    column: string,
    { conditions, run }: { conditions: RowConditions; run: RunStatement },
  ) {
    const stated = await statedCounts(this.pinnedTable(tableName), wanted, column, run)
    if (stated.files.size === 0 || stated.restRows > storageLimits.uncountedRowsMax) return undefined
    const rest = await this.relationWhere(tableName, { ...wanted, except: stated.files }, conditions)
    return { counts: stated.counts, rest }
  }

  /** The data files of which no newer layer hides a row, the newest first. */
  wholeFiles(tableName: string, wanted: FilePredicate): Promise<readonly DataFile[]> {
    return wholeFilesOf(this.pinnedTable(tableName), wanted)
  }

  /** The counts that value indexes state for further paths in JSON. */
  statedPaths(tableName: string, wanted: FilePredicate, isWanted: (path: string) => boolean): Promise<StatedPaths> {
    return statedPaths(this.pinnedTable(tableName), wanted, isWanted)
  }

  /**
   * The rows in memory, and a sample of those in data files; undefined if there are not enough of
   * them to leave any out.
   */
  async sample(tableName: string, wanted: FilePredicate): Promise<Relation | undefined> {
    const pinned = this.pinnedTable(tableName)
    const sample = pinned.hiddenProjects.has(wanted.projectId) ? undefined : await sampleOfFiles(pinned, wanted)
    if (sample === undefined) return undefined
    const rowRanges = new Map([...sample].map(([{ fileName }, ranges]) => [fileName, ranges]))
    return this.relation(tableName, { ...wanted, rowRanges, among: (dataFile) => sample.has(dataFile) })
  }

  /**
   * A few rows of the predicate, those in data files without DuckDB; undefined if they cannot be
   * read so.
   */
  async fewRows(
    tableName: string,
    wanted: FilePredicate,
    conditions: RowConditions,
    rows: RowsWanted,
  ): Promise<FewRowsRead | undefined> {
    const pinned = this.pinnedTable(tableName)
    if (pinned.hiddenProjects.has(wanted.projectId)) return undefined
    noteFiles(pinned, wanted.projectId)
    const hasRows = pinned.activeHasRows || pinned.sealedHasRows
    const inMemory = hasRows ? this.relation(tableName, { ...wanted, among: () => false }) : undefined
    return await fewRowsOf({
      files: this.files,
      limits: this.limits,
      pinned,
      wanted,
      conditions,
      rows,
      inMemory,
    })
  }

  /** The counts of a column's values in each data file. */
  countsByFile(tableName: string, wanted: FilePredicate, column: string): Promise<CountsByFile> {
    return countsByFile(this.pinnedTable(tableName), wanted, column)
  }

  private pinnedTable(tableName: string): PinnedTable {
    const pinned = this.pinned.find(({ table }) => table.name === tableName)
    if (pinned === undefined) throw new Error(`Table ${tableName} was not requested by this read`)
    return pinned
  }

  /**
   * Whether another program has replaced some of the files. Call it after a statement has failed.
   */
  async wasReplaced(): Promise<boolean> {
    for (const { damaged, files } of this.pinned) if (await damaged.wereReplaced(files.dataFiles)) return true
    return false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release()
  }
}

/** The relation of a project that is being erased: the memtable has no rows of it any more. */
function withoutRows({ table: { key, presenceColumn }, active }: PinnedTable): Relation {
  return { branches: [{ source: { kind: 'table', name: active.tableName }, masks: [] }], key, presenceColumn }
}
