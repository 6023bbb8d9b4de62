import { readLimits } from '../../lib/limits/reads.ts'
import type { Relation, RolledUpRelation } from '../../lib/relation.ts'
import type { Semaphore } from '../../lib/semaphore.ts'
import { filesOf, type Sql } from '../../lib/sql.ts'
import type { Cell } from '../../lib/table.ts'
import type { ColumnsOf } from '../../lib/typed-rows.ts'
import type { ReadLimits } from '../../runtime/duck/reader.ts'
import type { TextRows } from '../../runtime/duck/text-rows.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { Deadline } from '../deadline.ts'
import type { RollupWanted } from '../table/rolled-up-relation.ts'
import type { CountsByFile, StatedPaths } from './count-values.ts'
import type { FewRowsRead } from './few-rows-of.ts'
import type { RunStatement } from './hidden-values.ts'
import type { PinnedTables } from './pinned-tables.ts'
import type { RowConditions } from './row-conditions.ts'
import type { RowsWanted } from './rows-wanted.ts'
import type { AnyOf, ReadHints, StreamSnapshot, ValueCounts } from './snapshot.ts'

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

  relation(tableName: string, anyOf: AnyOf = {}, hints: ReadHints = {}): Relation {
    const wanted = { ...hints, projectId: this.projectId, anyOf: new Map(Object.entries(anyOf)) }
    return this.pinned.relation(tableName, wanted)
  }

  relationWhere(
    tableName: string,
    anyOf: AnyOf,
    hints: ReadHints = {},
    conditions: RowConditions = {},
  ): Promise<Relation> {
    const wanted = { ...hints, projectId: this.projectId, anyOf: new Map(Object.entries(anyOf)) }
    return this.pinned.relationWhere(tableName, wanted, conditions)
  }

  rolledUp(tableName: string, of: RollupWanted): Promise<RolledUpRelation | undefined> {
    return this.pinned.rolledUp(tableName, { projectId: this.projectId }, of)
  }

  valueCounts(
    tableName: string,
    column: string,
    hints: ReadHints = {},
    conditions: RowConditions = {},
  ): Promise<ValueCounts | undefined> {
    const run: RunStatement = (sql) => this.rows(sql)
    return this.pinned.valueCounts(tableName, { ...hints, projectId: this.projectId }, column, { conditions, run })
  }

  wholeFiles(tableName: string): Promise<readonly DataFile[]> {
    return this.pinned.wholeFiles(tableName, { projectId: this.projectId })
  }

  relationOfFile(tableName: string, fileName: string): Relation {
    const among = (dataFile: DataFile) => dataFile.fileName === fileName
    return this.pinned.relation(tableName, { projectId: this.projectId, among, isOfFilesOnly: true })
  }

  statedPaths(tableName: string, isWanted: (path: string) => boolean): Promise<StatedPaths> {
    return this.pinned.statedPaths(tableName, { projectId: this.projectId }, isWanted)
  }

  sample(tableName: string, hints: ReadHints = {}): Promise<Relation | undefined> {
    return this.pinned.sample(tableName, { ...hints, projectId: this.projectId })
  }

  fewRows(
    tableName: string,
    anyOf: AnyOf,
    hints: ReadHints,
    conditions: RowConditions,
    rows: RowsWanted,
  ): Promise<FewRowsRead | undefined> {
    const wanted = { ...hints, projectId: this.projectId, anyOf: new Map(Object.entries(anyOf)) }
    return this.pinned.fewRows(tableName, wanted, conditions, rows)
  }

  countsByFile(tableName: string, column: string, hints: ReadHints = {}): Promise<CountsByFile> {
    return this.pinned.countsByFile(tableName, { ...hints, projectId: this.projectId }, column)
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

  private get limits(): ReadLimits {
    return this.pinned.limits
  }
}
