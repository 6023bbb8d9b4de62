import { itemAt } from '../../lib/present.ts'
import type { Branch, Relation } from '../../lib/relation.ts'
import type { Sql } from '../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../lib/typed-rows.ts'
import type { OutputOptions } from '../call-output.ts'
import {
  type CallsPlan,
  type LineWindow,
  matchingRows,
  type Relations,
  startedWithin,
  type TimeWindow,
} from '../calls-plan.ts'
import { ofSpan } from '../catalog.ts'
import { lowerRows, type RowsWanted } from '../check/lower.ts'
import { all, isAlways } from '../expression.ts'
import { storedColumnsOf } from '../path-of-row.ts'
import { type RewriteName, rewrite } from '../rewrite/rewrite.ts'
import { columnsRead, summaryParts } from './call-answer.ts'
import {
  jsonLineSql,
  type OutputColumn,
  outputColumns,
  splitJsonLineSql,
  tableColumns,
  tableValueSql,
  usageSql,
} from './call-columns.ts'
import { feedbackEntriesSql } from './feedback-entries.ts'
import { plainTextSql } from './json-value.ts'
import { orderSql, pageSql, plainSortColumns } from './order.ts'
import { Parameters } from './parameters.ts'
import { rowsSql, scopeOf } from './rows.ts'

/*
 * From a request to SQL in passes:
 *   parse    JSON → Syntax        shape and bounds; the operators are in grammar.ts
 *   check    Syntax → Expression  names and types; the fields come from a catalog (catalog.ts)
 *   rewrite  Expression → same    the list is in rewrite/rewrite.ts; plans are already rewritten
 *   lower    → RowsQuery          orders the conditions by cost
 *   sql/     → Sql                statements of calls and of rows are in this file
 */
export interface CompileOptions {
  /** Rewrites to skip; they never change which rows match. */
  readonly without?: readonly RewriteName[]
}

/**
 * Columns of the rows of one relation, for lookups by the server itself: the requested columns,
 * followed by those to sort by.
 */
export const compileRows = (wanted: RowsWanted, options: CompileOptions = {}): Sql =>
  compilePlanned({ ...wanted, where: rewrite(wanted.where, options.without) })

/** Like `compileRows`, for a condition that is already rewritten. */
export function compilePlanned(wanted: RowsWanted): Sql {
  const parameters = new Parameters()
  const columns = [...new Set([...wanted.columns, ...plainSortColumns(wanted.sort ?? [])])]
  return { text: readRows({ ...wanted, columns }, parameters), values: parameters.values }
}

/**
 * The distinct texts at a path inside the only requested JSON column that may be refs, up to a
 * limit.
 */
export function compileTextsAt(wanted: RowsWanted & { readonly limit: number }, path: readonly string[]): Sql {
  const parameters = new Parameters()
  const { limit, ...all } = { ...wanted, where: rewrite(wanted.where) }
  const column = itemAt(wanted.columns, 0)
  const field = { kind: 'json', column, path } as const
  const columns = [...new Set([column, ...storedColumnsOf(ofSpan(field) ?? field)])]
  const rows = readRows({ ...all, columns }, parameters)
  const text = plainTextSql(field, scopeOf('r', { projectId: wanted.projectId }, parameters))
  return {
    text: `SELECT DISTINCT ref FROM (SELECT ${text} AS ref FROM (${rows}) r WHERE contains(r."${column}", ':///'))
      WHERE contains(ref, ':///')${pageSql({ limit }, parameters)}`,
    values: parameters.values,
  }
}

const readRows = (wanted: RowsWanted, parameters: Parameters): string => rowsSql(lowerRows(wanted), parameters)

/** One JSON object per call, in order. */
export const compileJsonLines = (plan: CallsPlan, relations: Relations, window?: LineWindow): Sql =>
  jsonLines(plan, relations, window, '')

/** Like `compileJsonLines`, with a line feed after each object. */
export const compileNdjson = (plan: CallsPlan, relations: Relations, window?: LineWindow): Sql =>
  jsonLines(plan, relations, window, '\n')

function jsonLines(plan: CallsPlan, relations: Relations, window: LineWindow | undefined, end: '' | '\n'): Sql {
  const { totalStorageSize, feedback } = plan.output
  const parameters = new Parameters()
  if (window?.isWhole && plan.limit === undefined && !totalStorageSize && !feedback)
    return { text: sortedLinesSql({ plan, relations, window, end }, parameters), values: parameters.values }
  const from = fromCallsSql(plan, relations, window, parameters)
  const columns = outputColumns(plan.output, parameters)
  return { text: `SELECT ${jsonLineSql(columns, end)} AS line ${from}`, values: parameters.values }
}

/** DuckDB's threads share the work on rows that are not sorted yet, but not on sorted ones. */
function sortedLinesSql(
  { plan, relations, window, end }: { plan: CallsPlan; relations: Relations; window: LineWindow; end: '' | '\n' },
  parameters: Parameters,
): string {
  const from = fromCallsSql({ ...plan, sort: [] }, relations, window, parameters, plainSortColumns(plan.sort))
  const line = jsonLineSql(outputColumns(plan.output, parameters), end)
  const sortedBy = plainSortColumns(plan.sort).map((name) => `c."${name}"`)
  const order = orderSql(plan.sort, scopeOf('r', { ...relations, ...plan }, parameters))
  return `SELECT line FROM (SELECT ${[`${line} AS line`, ...sortedBy].join(', ')} ${from}) r ORDER BY ${order}`
}

const splitShape = rowShape({ head: 'text', tail: 'text', usage: 'json?', start: 'time' })

/** The two halves of a line, and what the costs between them are computed from. */
export type SplitLine = RowOfShape<typeof splitShape>

/**
 * Like `compileJsonLines`, but in two texts with a gap for the costs, followed by the usage as JSON
 * text and the start in microseconds.
 */
export function compileSplitJsonLines(plan: CallsPlan, relations: Relations, window?: TimeWindow): Sql<SplitLine> {
  const parameters = new Parameters()
  const from = fromCallsSql(plan, relations, window, parameters)
  const { head, tail } = splitJsonLineSql(outputColumns(plan.output, parameters), plan.output)
  const text = `SELECT ${[head, tail, ...forCosts].join(', ')} ${from}`
  return { text, values: parameters.values, shape: splitShape }
}

/** SQL of the values from which the caller computes the costs of a call. */
const forCosts: readonly string[] = [usageSql, 'epoch_us(c."started_at")']

/** The columns of a table of a plan's calls. */
export function columnsOfTable(plan: CallsPlan): readonly OutputColumn[] {
  const parameters = new Parameters()
  return tableColumns(plan.columns, outputColumns(ofTable(plan), parameters), plan.output.nameOf, parameters)
}

/** Every row of a table has the same columns. */
const ofTable = ({ output }: CallsPlan): OutputOptions => ({ ...output, omitNull: false })

/**
 * Calls as columns, in order; `columns` describes them. With `humanReadable`, times are text as in
 * the API and JSON strings have no quotes. If the plan asks for costs, three more columns follow:
 * the beginning of the summary up to the costs, the usage as JSON text, and the start in
 * microseconds.
 */
export function compileTable(
  plan: CallsPlan,
  relations: Relations,
  options: { humanReadable: boolean },
): { sql: Sql; columns: readonly OutputColumn[] } {
  const parameters = new Parameters()
  const from = fromCallsSql(plan, relations, undefined, parameters)
  const members = outputColumns(ofTable(plan), parameters)
  const columns = tableColumns(plan.columns, members, plan.output.nameOf, parameters)
  const items = columns.map(
    (column) => `${tableValueSql(column, options.humanReadable)} AS "${column.name.replaceAll('"', '""')}"`,
  )
  if (plan.output.costs) items.push(summaryParts(plan.output).head.sql, ...forCosts)
  const list = items.length === 0 ? 'NULL' : items.join(', ')
  return { sql: { text: `SELECT ${list} ${from}`, values: parameters.values }, columns }
}

/**
 * The ends of time windows of about `bytes` of payload each: one row per window with its latest
 * start and about how many calls it has, ascending. A stream in time order reads window by window,
 * so that no large set is sorted.
 */
export function compileWindows(plan: CallsPlan, relations: Relations, bytes: number): Sql {
  const parameters = new Parameters()
  const rows = readRows({ ...matchingRows(plan, relations), columns: ['started_at', 'payload_bytes'] }, parameters)
  return {
    text: `SELECT max(started_at), count(*) FROM (
      SELECT started_at, sum(payload_bytes + 512) OVER (ORDER BY started_at ROWS UNBOUNDED PRECEDING) //
        ${Math.floor(bytes)} AS w FROM (${rows})
    ) GROUP BY w ORDER BY w`,
    values: parameters.values,
  }
}

/** One row: the number of calls, and the total size of the traces whose roots are among them. */
export function compileStats(plan: CallsPlan, relations: Relations, options: { totalStorageSize: boolean }): Sql {
  const parameters = new Parameters()
  const limited = { ...matchingRows(plan, relations), limit: plan.limit }
  if (!options.totalStorageSize) {
    const { rest, counted } = isAlways(limited.where)
      ? countFiles(limited.relation, plan.projectId)
      : { rest: limited.relation, counted: 0 }
    const found = `${parameters.bind(BigInt(counted))}::BIGINT`
    if (rest.branches.length === 0)
      return { text: `SELECT ${atMost(plan.limit, found, parameters)}, NULL`, values: parameters.values }
    const rows = readRows({ ...limited, relation: rest, columns: ['id'] }, parameters)
    const count = atMost(plan.limit, `${found} + count(*)`, parameters)
    return { text: `SELECT ${count}, NULL FROM (${rows})`, values: parameters.values }
  }
  const rows = readRows({ ...limited, columns: ['id', 'trace_id', 'parent_id'] }, parameters)
  const traces = readRows(everyTrace(plan, relations), parameters)
  return {
    text: `WITH matched AS MATERIALIZED (${rows})
      SELECT (SELECT count(*) FROM matched),
        (SELECT coalesce(sum(payload_bytes), 0)::BIGINT FROM (${traces})
         WHERE trace_id IN (SELECT trace_id FROM matched WHERE parent_id IS NULL))`,
    values: parameters.values,
  }
}

const atMost = (limit: number | undefined, count: string, parameters: Parameters): string =>
  limit === undefined ? count : `least(${count}, ${parameters.bind(BigInt(limit))}::BIGINT)`

/**
 * Counts the rows of files whose statistics suffice, and leaves the rest of the relation to be
 * read.
 */
function countFiles(relation: Relation, projectId: string): { counted: number; rest: Relation } {
  let counted = 0
  const branches: Branch[] = []
  for (const branch of relation.branches) {
    const { source } = branch
    if (source.kind === 'table' || source.counted === undefined || source.counted.projectId !== projectId) {
      branches.push(branch)
      continue
    }
    const { rows, otherPaths } = source.counted
    counted += rows
    if (otherPaths.length > 0) branches.push({ ...branch, source: { ...source, paths: otherPaths } })
  }
  return { counted, rest: { ...relation, branches } }
}

/** Trace and size of every call of the project. */
const everyTrace = ({ projectId }: CallsPlan, { traces, feedback, queues }: Relations): RowsWanted => ({
  relation: traces,
  projectId,
  feedback,
  queues,
  where: all([]),
  columns: ['trace_id', 'payload_bytes'],
})

/** FROM clause of the calls of a plan (alias `c`, with `z` for totals), in order. */
function fromCallsSql(
  plan: CallsPlan,
  relations: Relations,
  window: TimeWindow | undefined,
  parameters: Parameters,
  sortedBy: readonly string[] = plainSortColumns(plan.sort),
): string {
  const columns = [...new Set([...columnsRead(plan.output), ...sortedBy])]
  const rows = readRows(
    {
      ...matchingRows(plan, relations),
      where: window === undefined ? plan.where : all([plan.where, startedWithin(window)]),
      columns,
      sort: plan.sort,
      limit: plan.limit,
      offset: plan.offset,
    },
    parameters,
  )
  const { totalStorageSize, feedback } = plan.output
  if (!totalStorageSize && !feedback) return `FROM (${rows}) c`
  // Row numbers keep the order of the page across the joins.
  const page = `(SELECT *, row_number() OVER () AS _n FROM (${rows})) c`
  const entries = feedback
    ? ` LEFT JOIN (${feedbackEntriesSql(relations.feedback, plan, parameters)}) f ON f.call_id = c.id`
    : ''
  const totals = totalStorageSize
    ? ` LEFT JOIN (${traceTotalsSql(plan, relations, parameters)}) z ON z.trace_id = c.trace_id AND c.parent_id IS NULL`
    : ''
  return `FROM ${page}${entries}${totals} ORDER BY c._n`
}

/** Bytes of each trace. */
function traceTotalsSql(plan: CallsPlan, relations: Relations, parameters: Parameters): string {
  const traces = readRows(everyTrace(plan, relations), parameters)
  return `SELECT trace_id, sum(payload_bytes)::BIGINT AS total FROM (${traces}) GROUP BY trace_id`
}
