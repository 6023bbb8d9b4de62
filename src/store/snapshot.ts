import type { ReadLimits } from '../duck/reader.ts'
import type { TextRows } from '../duck/text-rows.ts'
import type { Relation, RolledUpRelation } from '../kernel/relation.ts'
import type { Sql, SqlValue } from '../kernel/sql.ts'
import type { Cell } from '../kernel/table.ts'
import { limits } from '../limits.ts'
import type { CountsByFile, StatedPaths } from './count-values.ts'
import type { DataFile } from './data-files/data-file.ts'
import type { TimeRange } from './data-files/time-bounds.ts'
import type { FairTurns } from './fair-turns.ts'
import type { RowsWanted } from './few-rows.ts'
import type { FewRowsRead } from './few-rows-of.ts'
import type { PinnedTables } from './pinned-tables.ts'
import type { RowConditions } from './row-conditions.ts'
import type { RollupWanted } from './table/rolled-up-relation.ts'

/**
 * Column → values, one of which every wanted row has. Skips data files; only columns with a file
 * filter count.
 */
export type AnyOf = Readonly<Record<string, readonly string[]>>

/** What else a question says about the rows that it reads. */
export interface ReadHints {
  /** Data files that are older are skipped. */
  readonly writtenAfterMs?: number | undefined
  /** Paths in JSON columns that it reads, by `columnPath`: data files may have columns for them. */
  readonly paths?: readonly string[] | undefined
  /**
   * Only this many rows matter, those of the project that come last in the order of the table.
   * Other rows may be missing.
   */
  readonly lastRows?: number | undefined
  /** The times, in the table's second sort column, of all wanted rows. */
  readonly times?: TimeRange | undefined
  /** Names of data files that have no wanted rows. */
  readonly except?: ReadonlySet<string> | undefined
}

/** Rows of a project by value, as data files state it, and where its other rows are. */
export interface ValueCounts {
  /** Null: rows without a value. */
  readonly counts: ReadonlyMap<string | null, number>
  readonly rest: Relation
}

/**
 * One project's rows in a consistent view of some tables, for lookups. Every statement ends within
 * the query time limit, or when the signal of the read is aborted.
 */
export interface Snapshot {
  /** Where the rows of a table are, as data for the query compiler. */
  relation(tableName: string, anyOf?: AnyOf, hints?: ReadHints): Relation
  /** The same with indexes of large files: skips rows that do not meet the conditions. */
  relationWhere(tableName: string, anyOf: AnyOf, hints?: ReadHints, conditions?: RowConditions): Promise<Relation>
  /**
   * The same for a question about sums of rows by hour, with the rows that the table's rollups
   * cover; undefined if they cover none.
   */
  rolledUp(tableName: string, of: RollupWanted): Promise<RolledUpRelation | undefined>
  /**
   * How many rows have each value of a column or `columnPath`, as far as data files state it, and
   * the relation of all other rows. Undefined if most rows would have to be read all the same.
   */
  valueCounts(
    tableName: string,
    column: string,
    hints?: ReadHints,
    conditions?: RowConditions,
  ): Promise<ValueCounts | undefined>
  /**
   * The data files all of whose rows of the project count: none was deleted or replaced. The newest
   * first.
   */
  wholeFiles(tableName: string): Promise<readonly Pick<DataFile, 'fileName' | 'rows'>[]>
  /** One of these files. */
  relationOfFile(tableName: string, fileName: string): Relation
  /**
   * The values that these files state at paths in JSON, by `columnPath`, but only at `wanted` ones.
   */
  statedPaths(tableName: string, isWanted: (path: string) => boolean): Promise<StatedPaths>
  /**
   * The rows in memory, and a sample of those in data files, spread over the wanted times;
   * undefined if there are not enough of them to leave any out.
   */
  sample(tableName: string, hints?: ReadHints): Promise<Relation | undefined>
  /**
   * A few rows that meet conditions, without DuckDB as far as they are in data files; undefined if
   * that is not possible.
   */
  fewRows(
    tableName: string,
    anyOf: AnyOf,
    hints: ReadHints,
    conditions: RowConditions,
    rows: RowsWanted,
  ): Promise<FewRowsRead | undefined>
  /**
   * How many rows have each value of a column or `columnPath`, by the name of the data file that
   * states it. Other files, and rows in memory, may have further values.
   */
  countsByFile(tableName: string, column: string, hints?: ReadHints): Promise<CountsByFile>
  /**
   * All rows of a statement, as cells. @throws DomainError QueryTimeout, QueryTooLarge,
   * RequestCancelled, DataDamaged
   */
  rows(sql: Sql): Promise<Cell[][]>
  /**
   * Passes cells by column to `take`, a DuckDB vector at a time: for answers that are aggregated
   * rather than kept.
   */
  forEachChunk(sql: Sql, take: (columns: Cell[][]) => void): Promise<void>
  /** Materializes the rows of a SELECT under a name, for later statements of the same read. */
  createTempTable(name: string, sql: Sql): Promise<void>
  /** Writes the rows of a SELECT to a Parquet file. */
  copyToParquet(sql: Sql, path: string): Promise<void>
}

/** The same for long reads, which may also stream rows, a DuckDB vector at a time. */
export interface StreamSnapshot extends Snapshot {
  /**
   * Texts of the first column. The time limit counts time spent in DuckDB, not in a slow consumer.
   */
  texts(sql: Sql): AsyncGenerator<string[]>
  /**
   * The same texts as bytes, for a column without nulls. A yielded value is valid until the next is
   * requested.
   */
  textRows(sql: Sql): AsyncGenerator<TextRows>
  /** Cells by column. */
  columns(sql: Sql): AsyncGenerator<Cell[][]>
  /** Cells by row. */
  rowsInTurn(sql: Sql): AsyncGenerator<Cell[][]>
}

/**
 * The visible rows of all projects, for answers about projects. The query compiler restricts them
 * to those that the caller may read.
 */
export interface ProjectsSnapshot extends Pick<Snapshot, 'rows'> {
  relationOfProjects(tableName: string): Relation
}

/** The rows of all projects, hidden ones included: for maintenance, never for an answer. */
export interface MaintenanceSnapshot extends Pick<Snapshot, 'rows'> {
  unrestrictedRelation(tableName: string): Relation
}

/** Restricts pinned tables to one project. */
export class ProjectSnapshot implements StreamSnapshot {
  private readonly pinned: PinnedTables
  private readonly projectId: string
  private readonly scans: FairTurns

  /** @param scans turns of statements that read many files */
  constructor(pinned: PinnedTables, projectId: string, scans: FairTurns) {
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
    return this.pinned.valueCounts(tableName, { ...hints, projectId: this.projectId }, column, conditions)
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

  rows(sql: Sql): Promise<Cell[][]> {
    return this.inTurn(sql, () => this.pinned.reader.rows(sql, this.limits))
  }

  forEachChunk(sql: Sql, take: (columns: Cell[][]) => void): Promise<void> {
    return this.inTurn(sql, () => this.pinned.reader.forEachChunk(sql, this.limits, take))
  }

  createTempTable(name: string, sql: Sql): Promise<void> {
    return this.inTurn(sql, () => this.pinned.reader.createTempTable(name, sql, this.limits))
  }

  copyToParquet(sql: Sql, path: string): Promise<void> {
    return this.pinned.reader.copyToParquet(sql, path, this.limits)
  }

  texts(sql: Sql): AsyncGenerator<string[]> {
    return this.pinned.reader.texts(sql, this.limits)
  }

  textRows(sql: Sql): AsyncGenerator<TextRows> {
    return this.pinned.reader.textRows(sql, this.limits)
  }

  columns(sql: Sql): AsyncGenerator<Cell[][]> {
    return this.pinned.reader.columns(sql, this.limits)
  }

  rowsInTurn(sql: Sql): AsyncGenerator<Cell[][]> {
    return this.pinned.reader.rowsInTurn(sql, this.limits)
  }

  /**
   * Statements over many files wait for each other, so that a few of them do not take all threads
   * from lookups and writes. Streams do not: they go no faster than their clients.
   */
  private inTurn<T>(sql: Sql, run: () => Promise<T>): Promise<T> {
    return filesNamed(sql) > limits.lookupFilesMax ? this.scans.run(this.projectId, this.limits, run) : run()
  }

  private get limits(): ReadLimits {
    return this.pinned.limits
  }
}

const filesNamed = ({ values }: Sql): number =>
  values.reduce<number>((sum, value) => sum + (isTexts(value) ? filesAmong(value.texts) : 0), 0)

const isTexts = (value: SqlValue): value is { readonly texts: readonly string[] } =>
  typeof value === 'object' && value !== null && 'texts' in value

const filesAmong = (texts: readonly string[]): number =>
  texts[0]?.endsWith('.parquet') || texts[0]?.endsWith('.rollup') ? texts.length : 0
