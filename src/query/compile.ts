import type { Sql } from '../lib/sql.ts'
import type { CallsPlan, LineWindow, Relations, TimeWindow } from './calls-plan.ts'
import type { JsonField } from './catalog.ts'
import type { RowsWanted } from './check/lower.ts'
import type { Cursor } from './cursor.ts'
import { type RewriteName, rewrite } from './rewrite/rewrite.ts'
import type { SortKey } from './sort.ts'
import type { OutputColumn } from './sql/call-columns.ts'
import * as cursors from './sql/cursor.ts'
import * as statements from './sql/statements.ts'

/*
 * From a request to SQL in passes:
 *
 *   parse    JSON → Syntax        shape and bounds; the operators are in grammar.ts
 *   check    Syntax → Expression  names and types; the fields come from a catalog (catalog.ts)
 *   rewrite  Expression → same    the list is in rewrite/rewrite.ts; plans are already rewritten
 *   lower    → RowsQuery          orders the conditions by cost
 *   sql/     → Sql                the only place that writes SQL
 */

export interface CompileOptions {
  /** Rewrites to skip; they never change which rows match. */
  readonly without?: readonly RewriteName[]
}

/** One JSON object per call, in order. */
export const compileJsonLines = (plan: CallsPlan, relations: Relations, window?: LineWindow): Sql =>
  statements.jsonLinesStatement(plan, relations, window)

/** As `compileJsonLines`, each object followed by a line feed. */
export const compileNdjson = (plan: CallsPlan, relations: Relations, window?: LineWindow): Sql =>
  statements.jsonLinesStatement(plan, relations, window, '\n')

/**
 * As `compileJsonLines`, but in two texts with a gap for the costs, followed by the usage as JSON
 * text and the start in microseconds.
 */
export const compileSplitJsonLines = (plan: CallsPlan, relations: Relations, window?: TimeWindow): Sql =>
  statements.splitJsonLinesStatement(plan, relations, window)

/**
 * Calls as columns, in order; `columns` describes them. With `humanReadable`, times are text as in
 * the API and JSON strings have no quotes. If the plan asks for costs, three more columns follow:
 * the beginning of the summary up to the costs, the usage as JSON text, and the start in
 * microseconds.
 */
export const compileTable = (
  plan: CallsPlan,
  relations: Relations,
  options: { humanReadable: boolean },
): { sql: Sql; columns: readonly OutputColumn[] } => statements.tableStatement(plan, relations, options)

/** The columns of a table of a plan's calls. */
export const columnsOfTable = (plan: CallsPlan): readonly OutputColumn[] => statements.columnsOfTable(plan)

/**
 * The ends of time windows of about `bytes` of payload each: one row per window with its latest
 * start and about how many calls it has, ascending. A stream in time order reads window by window,
 * so that no large set is sorted.
 */
export const compileWindows = (plan: CallsPlan, relations: Relations, bytes: number): Sql =>
  statements.windowsStatement(plan, relations, bytes)

/** One row: the number of calls, and the total size of the traces whose roots are among them. */
export const compileStats = (plan: CallsPlan, relations: Relations, options: { totalStorageSize: boolean }): Sql =>
  statements.statsStatement(plan, relations, options)

/** Columns of the rows of one relation, for lookups by the server itself. */
export const compileRows = (wanted: RowsWanted, options: CompileOptions = {}): Sql =>
  compilePlanned({ ...wanted, where: rewrite(wanted.where, options.without) })

/** As `compileRows`, for a condition that is already rewritten. */
export const compilePlanned = (wanted: RowsWanted): Sql => statements.rowsStatement(wanted)

/**
 * The distinct texts at a path inside the only requested JSON column that may be refs, up to a
 * limit.
 */
export const compileTextsAt = (wanted: RowsWanted & { readonly limit: number }, path: readonly string[]): Sql =>
  statements.textsAtStatement({ ...wanted, where: rewrite(wanted.where) }, path)

/** One hexadecimal text: the DuckDB sort key of a row with the values of a cursor. */
export const compileSortKey = (cursor: Cursor, sort: readonly SortKey[]): Sql => cursors.compileSortKey(cursor, sort)

/** One row of the JSON texts of fields in the rows that are wanted. */
export const compileJsonTexts = (
  wanted: Omit<RowsWanted, 'columns'>,
  fields: readonly JsonField[],
  options: { readonly hasSpans: boolean },
): Sql => cursors.compileJsonTexts({ ...wanted, where: rewrite(wanted.where) }, fields, options)
