import type { Sql } from '../kernel/sql.ts'
import type { CallsPlan, Relations, TimeWindow } from './calls-plan.ts'
import type { RowsWanted } from './lower.ts'
import { type RewriteName, rewrite } from './rewrite/rewrite.ts'
import type { OutputColumn } from './sql/call-columns.ts'
import * as statements from './sql/statements.ts'

/*
 * From a request to SQL, pass by pass:
 *
 *   parse    JSON → Syntax        shape and bounds (grammar.ts has the operators)
 *   check    Syntax → Expression  names (catalog.ts has the fields) and types
 *   rewrite  Expression → same    rewrite/rewrite.ts has the list; a plan has been through it
 *   lower    → RowsQuery          what is tested in which branch by which column, in which order
 *   sql/     → Sql                the only place where SQL is written
 */

export interface CompileOptions {
  /** Rewrites to leave out; rows are the same without any of them. */
  readonly without?: readonly RewriteName[]
}

/** One JSON object per call, in order. */
export const compileJsonLines = (plan: CallsPlan, relations: Relations, window?: TimeWindow): Sql =>
  statements.jsonLinesStatement(plan, relations, window)

/** As `compileJsonLines`, with a line feed behind each object. */
export const compileEndedJsonLines = (plan: CallsPlan, relations: Relations, window?: TimeWindow): Sql =>
  statements.jsonLinesStatement(plan, relations, window, '\n')

/** As `compileJsonLines`, in two texts between which costs belong, then the usage as JSON text and the start in microseconds. */
export const compileSplitJsonLines = (plan: CallsPlan, relations: Relations, window?: TimeWindow): Sql =>
  statements.splitJsonLinesStatement(plan, relations, window)

/**
 * Calls as columns, in order; `columns` says what stands where. With `forPeople` times are text as the API writes them and a JSON text
 * stands without its quotes. Where the plan asks for costs, three more columns follow: what the summary begins with up to the place
 * where costs belong, the usage as JSON text, and the start in microseconds.
 */
export const compileTable = (
  plan: CallsPlan,
  relations: Relations,
  options: { forPeople: boolean },
): { sql: Sql; columns: readonly OutputColumn[] } => statements.tableStatement(plan, relations, options)

/** The columns that a table of a plan's calls has. */
export const columnsOfTable = (plan: CallsPlan): readonly OutputColumn[] => statements.columnsOfTable(plan)

/**
 * Ends of time windows that hold about `bytes` of payload each: one row a window, the latest start in it, ascending. A stream in time
 * order goes through them one by one, so that nothing large is sorted.
 */
export const compileWindows = (plan: CallsPlan, relations: Relations, bytes: number): Sql =>
  statements.windowsStatement(plan, relations, bytes)

/** One row: how many calls, and the summed sizes of the traces of the roots among them. */
export const compileStats = (plan: CallsPlan, relations: Relations, options: { totalStorageSize: boolean }): Sql =>
  statements.statsStatement(plan, relations, options)

/** Columns of rows of one relation, for what services look up themselves. */
export const compileRows = (wanted: RowsWanted, options: CompileOptions = {}): Sql =>
  compilePlanned({ ...wanted, where: rewrite(wanted.where, options.without) })

/** As `compileRows`, for the condition of a plan, which has been rewritten. */
export const compilePlanned = (wanted: RowsWanted): Sql => statements.rowsStatement(wanted)

/** The different texts at a path inside the one wanted JSON column that may be refs, up to a limit. */
export const compileTextsAt = (wanted: RowsWanted & { readonly limit: number }, path: readonly string[]): Sql =>
  statements.textsAtStatement({ ...wanted, where: rewrite(wanted.where) }, path)
