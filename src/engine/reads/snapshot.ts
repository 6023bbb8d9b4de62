import type { Relation, RolledUpRelation } from '../../lib/relation.ts'
import type { Sql } from '../../lib/sql.ts'
import type { Cell } from '../../lib/table.ts'
import type { ColumnsOf } from '../../lib/typed-rows.ts'
import type { TextRows } from '../../runtime/duck/text-rows.ts'
import type { DataFile, FilePredicate, TimeInColumn, TimeRange } from '../data-files/data-file.ts'
import type { CountsByFile, StatedPaths } from './count-values.ts'
import type { FewRowsRead } from './few-rows-of.ts'
import type { RollupWanted } from './rolled-up-relation.ts'
import type { RowConditions } from './row-conditions.ts'
import type { RowsWanted } from './rows-wanted.ts'

/**
 * Column → values, one of which every wanted row has. Skips data files; only columns with a file
 * filter count.
 */
export type AnyOf = Readonly<Record<string, readonly string[]>>

/** Further conditions on the rows that a request reads. */
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
  /** A time that all wanted rows reach in a column with bounds. */
  readonly reaching?: TimeInColumn | undefined
  /** Names of data files that have no wanted rows. */
  readonly except?: ReadonlySet<string> | undefined
}

/** What a request wants of the rows of a project. */
export const predicateOf = (projectId: string, hints: ReadHints = {}, anyOf: AnyOf = {}): FilePredicate => ({
  ...hints,
  projectId,
  anyOf: new Map(Object.entries(anyOf)),
})

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
   * The same for a request for sums of rows by hour, with the rows that the table's rollups cover;
   * undefined if they cover none.
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
   * All rows of a statement, as its shape says; as cells without one.
   *
   * @throws DomainError QueryTimeout, QueryTooLarge, RequestCancelled, DataDamaged
   */
  rows<R = Cell[]>(sql: Sql<R>): Promise<R[]>
  /**
   * Passes the answer by column to `take`, a DuckDB vector at a time: for answers that are
   * aggregated rather than kept.
   */
  forEachChunk<R = Cell[]>(sql: Sql<R>, take: (columns: ColumnsOf<R>) => void): Promise<void>
  /** Materializes the rows of a SELECT under a name, for later statements of the same read. */
  createTempTable(name: string, sql: Sql<unknown>): Promise<void>
  /** Writes the rows of a SELECT to a Parquet file. */
  copyToParquet(sql: Sql<unknown>, path: string): Promise<void>
}

/** The same for long reads, which may also stream rows, a DuckDB vector at a time. */
export interface StreamSnapshot extends Snapshot {
  /**
   * Texts of the first column. The time limit counts time spent in DuckDB, not in a slow consumer.
   */
  texts(sql: Sql<unknown>): AsyncGenerator<string[]>
  /**
   * The same texts as bytes, for a column without nulls. A yielded value is valid until the next is
   * requested.
   */
  textRows(sql: Sql<unknown>): AsyncGenerator<TextRows>
  /** The answer by column. */
  columns<R = Cell[]>(sql: Sql<R>): AsyncGenerator<ColumnsOf<R>>
  /** The answer by row. */
  rowsInTurn<R = Cell[]>(sql: Sql<R>): AsyncGenerator<R[]>
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
