import { readLimits } from '../../lib/limits/reads.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { Relation, RolledUpRelation } from '../../lib/relation.ts'
import type { Semaphore } from '../../lib/semaphore.ts'
import { filesOf, type Sql } from '../../lib/sql.ts'
import type { Cell } from '../../lib/table.ts'
import type { ColumnsOf } from '../../lib/typed-rows.ts'
import type { ReadLimits } from '../../runtime/duck/reader.ts'
import type { TextRows } from '../../runtime/duck/text-rows.ts'
import type { DataFile, FilePredicate } from '../data-files/data-file.ts'
import { Deadline } from '../deadline.ts'
import type { PinnedTable } from '../table/pinned-table.ts'
import {
  type CountsByFile,
  countsByFile,
  type StatedPaths,
  statedCounts,
  statedPaths,
  wholeFilesOf,
} from './count-values.ts'
import { type FewRowsRead, fewRowsOf } from './few-rows-of.ts'
import type { PinnedTables } from './pinned-tables.ts'
import { relationOf, relationWhere, sampleOf } from './project-relation.ts'
import { type RollupWanted, rolledUpRelation } from './rolled-up-relation.ts'
import type { RowConditions } from './row-conditions.ts'
import type { RowsWanted } from './rows-wanted.ts'
import { type AnyOf, predicateOf, type ReadHints, type StreamSnapshot, type ValueCounts } from './snapshot.ts'

/** Restricts pinned tables to one project. */
export class ProjectSnapshot implements StreamSnapshot {
  private readonly pinned: PinnedTables
  private readonly projectId: string
  private readonly scans: Semaphore

  /** @param scans turns of statements that read many files */
  constructor(pinned: PinnedTables, projectId: string, scans: Semaphore) {
    this.pinned = pinned
    this.projectId = projectId
    this.scans = scans
  }

  relation(tableName: string, anyOf?: AnyOf, hints?: ReadHints): Relation {
    return relationOf(this.table(tableName), this.wanted(hints, anyOf))
  }

  relationWhere(tableName: string, anyOf: AnyOf, hints?: ReadHints, conditions: RowConditions = {}): Promise<Relation> {
    return relationWhere(this.table(tableName), this.wanted(hints, anyOf), conditions)
  }

  rolledUp(tableName: string, of: RollupWanted): Promise<RolledUpRelation | undefined> {
    return rolledUpRelation(this.table(tableName), this.projectId, of)
  }

  async valueCounts(
    tableName: string,
    column: string,
    hints?: ReadHints,
    conditions: RowConditions = {},
  ): Promise<ValueCounts | undefined> {
    const [pinned, wanted] = [this.table(tableName), this.wanted(hints)]
    const { counts, files, restRows } = await statedCounts(pinned, wanted, column, (sql) => this.rows(sql))
    if (files.size === 0 || restRows > storageLimits.uncountedRowsMax) return undefined
    return { counts, rest: await relationWhere(pinned, { ...wanted, except: files }, conditions) }
  }

  wholeFiles(tableName: string): Promise<readonly DataFile[]> {
    return wholeFilesOf(this.table(tableName), this.projectId)
  }

  relationOfFile(tableName: string, fileName: string): Relation {
    const among = (dataFile: DataFile) => dataFile.fileName === fileName
    return relationOf(this.table(tableName), { projectId: this.projectId, among, isOfFilesOnly: true })
  }

  statedPaths(tableName: string, isWanted: (path: string) => boolean): Promise<StatedPaths> {
    return statedPaths(this.table(tableName), this.projectId, isWanted)
  }

  sample(tableName: string, hints?: ReadHints): Promise<Relation | undefined> {
    return sampleOf(this.table(tableName), this.wanted(hints))
  }

  fewRows(
    tableName: string,
    anyOf: AnyOf,
    hints: ReadHints,
    conditions: RowConditions,
    rows: RowsWanted,
  ): Promise<FewRowsRead | undefined> {
    const { files, limits } = this.pinned
    const [pinned, wanted] = [this.table(tableName), this.wanted(hints, anyOf)]
    return fewRowsOf({ files, limits, pinned, wanted, conditions, rows })
  }

  countsByFile(tableName: string, column: string, hints?: ReadHints): Promise<CountsByFile> {
    return countsByFile(this.table(tableName), this.wanted(hints), column)
  }

  rows<R = Cell[]>(sql: Sql<R>): Promise<R[]> {
    return this.inTurn(sql, (limits) => this.pinned.reader.rows(sql, limits))
  }

  forEachChunk<R = Cell[]>(sql: Sql<R>, take: (columns: ColumnsOf<R>) => void): Promise<void> {
    return this.inTurn(sql, (limits) => this.pinned.reader.forEachChunk(sql, limits, take))
  }

  createTempTable(name: string, sql: Sql<unknown>): Promise<void> {
    return this.inTurn(sql, (limits) => this.pinned.reader.createTempTable(name, sql, limits))
  }

  copyToParquet(sql: Sql<unknown>, path: string): Promise<void> {
    return this.pinned.reader.copyToParquet(sql, path, this.limits)
  }

  texts(sql: Sql<unknown>): AsyncGenerator<string[]> {
    return this.pinned.reader.texts(sql, this.limits)
  }

  textRows(sql: Sql<unknown>): AsyncGenerator<TextRows> {
    return this.pinned.reader.textRows(sql, this.limits)
  }

  columns<R = Cell[]>(sql: Sql<R>): AsyncGenerator<ColumnsOf<R>> {
    return this.pinned.reader.columns(sql, this.limits)
  }

  rowsInTurn<R = Cell[]>(sql: Sql<R>): AsyncGenerator<R[]> {
    return this.pinned.reader.rowsInTurn(sql, this.limits)
  }

  /**
   * Statements over many files wait for each other, so that a few of them do not take all threads
   * from lookups and writes. Streams do not: they go no faster than their clients.
   *
   * @param run gets the limits, less the time of the wait
   */
  private async inTurn<T>(sql: Sql<unknown>, run: (limits: ReadLimits) => Promise<T>): Promise<T> {
    const { limits } = this
    if (filesOf(sql.values).length <= readLimits.lookupFilesMax) return await run(limits)
    using deadline = new Deadline(limits.timeoutMs, limits.signal)
    const runNow = () => run({ ...limits, timeoutMs: Math.max(1, limits.timeoutMs - deadline.waitedMs) })
    return await this.scans.run(runNow, deadline.signal, this.projectId)
  }

  private table(tableName: string): PinnedTable {
    return this.pinned.table(tableName)
  }

  private wanted(hints?: ReadHints, anyOf?: AnyOf): FilePredicate {
    return predicateOf(this.projectId, hints, anyOf)
  }

  private get limits(): ReadLimits {
    return this.pinned.limits
  }
}
