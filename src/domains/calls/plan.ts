import type { Snapshot } from '../../engine/reads/snapshot.ts'
import { callOutputMembers, callsCatalog, callsOrder, pricedCallsCatalog } from '../../engine/tables/calls-query.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { costsTable } from '../../engine/tables/costs-table.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { queueItemsTable, queuesTable } from '../../engine/tables/queue-tables.ts'
import { dialects } from '../../formats/dialect/dialect.ts'
import type { CallsFilter, SortBy } from '../../formats/schemas/calls.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt } from '../../lib/present.ts'
import type { Relation } from '../../lib/relation.ts'
import type { OutputNames, OutputOptions } from '../../query/call-output.ts'
import {
  type CallsPlan,
  type QueueRelations,
  type Relations,
  readsCost,
  readsFeedback,
  readsQueues,
} from '../../query/calls-plan.ts'
import type { Catalog, Field } from '../../query/catalog.ts'
import { parseColumns, parseExpandColumns, selectedMembers } from '../../query/columns.ts'
import { type Cursor, parseCursor } from '../../query/cursor.ts'
import { decidingField } from '../../query/deciding-field.ts'
import type { Conditions } from '../../query/expanded-fields.ts'
import { all, type Expression, isAlways } from '../../query/expression.ts'
import { parseCallsFilter } from '../../query/parse/filter.ts'
import { pathsRead } from '../../query/path-of-row.ts'
import { rewrite } from '../../query/rewrite/rewrite.ts'
import { conjuncts, timesOf, valuesOf } from '../../query/row-bounds.ts'
import { isColumn, parseSort } from '../../query/sort.ts'
import { compileValuesMet } from '../../query/sql/inline-values.ts'
import { textConditionOf } from '../../query/stored-text.ts'
import { parsePage, readQuery } from '../../query/table-plan.ts'
import type { ProjectReader } from '../access/index.ts'
import type { PageStart } from '../records/index.ts'
import type { RequestedEngine } from './clickhouse/heavy-questions.ts'

const startedAt = itemAt(callsTable.order, 1)

/**
 * Names of data files that need not be opened: they state all of their values at a path, and none
 * of these meets a condition on it, such as `output.score` > 0.9. Values that a condition names are
 * left to `valuesOf`.
 */
async function filesWithoutMatches(
  snapshot: Snapshot,
  { projectId, anyOf }: Pick<CallsPlan, 'projectId' | 'anyOf'>,
  where: Expression,
): Promise<ReadonlySet<string>> {
  const without = new Set<string>()
  // Ids lead to their rows anyway.
  if (Object.keys(anyOf).length > 0) return without
  const named = valuesOf(where)
  const times = timesOf(where, startedAt)
  for (const item of conjuncts(where)) {
    const deciding = decidingField(item, startedAt)
    if (deciding === undefined || !deciding.key.includes('/') || named.has(deciding.key)) continue
    const { key } = deciding
    const byFile = await snapshot.countsByFile(callsTable.name, key, { times, except: without })
    const values = new Set(byFile.values().flatMap((counts) => counts.keys()))
    values.delete(null)
    if (values.size === 0 || values.size > storageLimits.statedValuesMax) continue
    const counts = new Map([...values].map((value) => [value, 1]))
    const rows = await snapshot.rows(compileValuesMet({ projectId, key, counts }, deciding.where))
    const met = rows.map(({ value }) => value)
    // A missing value meets it, too.
    if (met.includes(null)) continue
    for (const [fileName, counts] of byFile) if (!met.some((value) => counts.has(value))) without.add(fileName)
  }
  return without
}

/** Members of a calls query request. */
export interface CallsRequest {
  readonly filter?: CallsFilter | null | undefined
  readonly limit?: number | null | undefined
  readonly offset?: number | null | undefined
  readonly sort_by?: readonly SortBy[] | null | undefined
  readonly query?: unknown
  readonly columns?: readonly string[] | null | undefined
  readonly expand_columns?: readonly string[] | null | undefined
  readonly return_expanded_column_values?: boolean | null | undefined
  readonly include_costs?: boolean | null | undefined
  readonly include_feedback?: boolean | null | undefined
  readonly include_storage_size?: boolean | null | undefined
  readonly include_total_storage_size?: boolean | null | undefined
  readonly include_usernames?: boolean | null | undefined
  readonly after?: readonly unknown[] | null | undefined
  readonly omit_null?: boolean | null | undefined
  readonly preview_chars?: number | null | undefined
  readonly engine?: RequestedEngine
}

/** A planned read of calls, with the project reader that it uses. */
export interface PlannedRead {
  readonly reader: ProjectReader
  readonly plan: CallsPlan
  readonly engine?: RequestedEngine
}

/** A parsed request: a plan whose filter has yet to look through refs and be rewritten. */
export interface ParsedCalls extends Omit<CallsPlan, 'where' | 'after'> {
  /** The row that the page follows, as sent. */
  readonly cursor: Cursor | undefined
  /** `filter` AND `query`. */
  readonly filter: Expression
  readonly query: Expression
  /** Paths at which filters and sort keys look through refs, shortest first. */
  readonly refPaths: readonly (readonly string[])[]
}

/**
 * The plan of a request whose rows stay inside the server, with neutral names.
 *
 * @throws DomainError InvalidRequest, InvalidField, NotImplemented
 */
export const planRows = (reader: ProjectReader, request: CallsRequest): CallsPlan =>
  planCalls(reader, request, dialects.ext, new Map())

/**
 * The same where filters may name the usage of calls: rows are read from `pricedRelations`.
 *
 * @throws DomainError InvalidRequest, InvalidField, NotImplemented
 */
export const planPricedRows = (reader: ProjectReader, request: CallsRequest): CallsPlan =>
  planCalls(reader, request, dialects.ext, new Map(), pricedCallsCatalog)

/**
 * The plan of a request whose filters see refs as they are.
 *
 * @throws DomainError InvalidRequest, InvalidField, NotImplemented
 */
export function planCalls(
  reader: ProjectReader,
  request: CallsRequest,
  names: OutputNames,
  usernames: ReadonlyMap<string, string>,
  catalog: Catalog = callsCatalog,
): CallsPlan {
  const parsed = parseCalls(reader, request, names, usernames, catalog)
  return settledPlan(parsed, conditionsOf(parsed))
}

/** Parses a request. @throws DomainError InvalidRequest, InvalidField, NotImplemented */
export function parseCalls(
  { projectId }: ProjectReader,
  request: CallsRequest,
  { nameOf, namespace, feedbackPrefix }: OutputNames,
  usernames: ReadonlyMap<string, string>,
  catalog: Catalog = callsCatalog,
): ParsedCalls {
  const columns = parseColumns(request.columns)
  const costs = request.include_costs === true
  const previewChars = request.preview_chars ?? undefined
  const output: OutputOptions = {
    nameOf,
    namespace,
    feedbackPrefix,
    members: callOutputMembers,
    selected: selectedMembers(columns, { costs, previews: previewChars !== undefined }),
    omitNull: request.omit_null === true,
    previewChars,
    storageSize: request.include_storage_size === true,
    totalStorageSize: request.include_total_storage_size === true,
    costs,
    feedback: request.include_feedback === true,
    usernames: request.include_usernames === true ? usernames : undefined,
  }
  const filter = parseCallsFilter(request.filter, projectId, catalog)
  const query = readQuery(request.query, catalog)
  const sort = parseSort(request.sort_by, { ...callsOrder, catalog })
  const cursor = parseCursor(request.after, sort, request.sort_by?.length || callsOrder.otherwise.length)
  const page = parsePage(request)
  const refPaths = parseExpandColumns(request.expand_columns)
  const expand = request.return_expanded_column_values === false ? [] : refPaths
  const anyOf = idsOf(request.filter)
  return { projectId, filter, query, anyOf, sort, cursor, ...page, columns, output, refPaths, expand }
}

/** Filters and sort keys of a request as sent. */
export const conditionsOf = ({ filter, query, sort }: ParsedCalls): Conditions => ({
  where: all([filter, query]),
  sort,
})

/** The plan of a request with its final filter, which is rewritten here, once. */
export function settledPlan(parsed: ParsedCalls, { where, sort }: Conditions, start?: PageStart): CallsPlan {
  const { projectId, anyOf, limit, offset, columns, output, expand } = parsed
  const conditions = rewrite(start === undefined ? where : all([where, start.bound]))
  return { projectId, where: conditions, anyOf, sort, after: start?.after, limit, offset, columns, output, expand }
}

/** Ids in a filter, by column. */
function idsOf(filter: CallsFilter | null | undefined): Record<string, readonly string[]> {
  const lists = [
    ['id', filter?.call_ids],
    ['trace_id', filter?.trace_ids],
    ['parent_id', filter?.parent_ids],
  ] as const
  return Object.fromEntries(lists.flatMap(([column, ids]) => (ids && ids.length > 0 ? [[column, ids]] : [])))
}

/** Tables that a plan reads. */
export const tablesOf = (plan: CallsPlan): string[] => [
  callsTable.name,
  ...(plan.output.costs || readsCost(plan) ? [costsTable.name] : []),
  ...(readsFeedback(plan) ? [feedbackTable.name] : []),
  ...(readsQueues(plan) ? [queuesTable.name, queueItemsTable.name] : []),
]

function feedbackRelation(snapshot: Snapshot, { anyOf: { id: callIds } }: CallsPlan) {
  return snapshot.relation(feedbackTable.name, callIds && { call_id: callIds })
}

/**
 * The data files and memtables that a plan has to read.
 *
 * @param more fields that are read besides those of the plan
 */
export async function relationsOf(
  snapshot: Snapshot,
  plan: CallsPlan,
  more: readonly Field[] = [],
): Promise<Relations> {
  return {
    calls: await callsRelation(snapshot, plan, plan.where, more),
    traces: snapshot.relation(callsTable.name),
    feedback: readsFeedback(plan) ? feedbackRelation(snapshot, plan) : undefined,
    queues: readsQueues(plan) ? queueRelations(snapshot) : undefined,
  }
}

/**
 * Whether rows come in the reverse order of data files. Another order of rows that started at the
 * same time would need all of these.
 */
const isNewestFirst = (sort: CallsPlan['sort']): boolean =>
  callsTable.order.slice(1).every((column, at) => sort[at]?.direction === 'desc' && isColumn(sort[at].field, column))

/**
 * The data files and memtables of calls that meet a condition.
 *
 * @param unwanted names of data files that are not to be read
 */
export async function callsRelation(
  snapshot: Snapshot,
  plan: CallsPlan,
  where: Expression,
  more: readonly Field[] = [],
  unwanted: ReadonlySet<string> = new Set(),
): Promise<Relation> {
  const paths = pathsRead(where, [...plan.sort.map(({ field }) => field), ...more])
  const { values, ...hints } = rowHints({ ...plan, where })
  const except = (await filesWithoutMatches(snapshot, plan, where)).union(unwanted)
  const text = textConditionOf(where, callsTable.searched ?? [])
  return await snapshot.relationWhere(callsTable.name, plan.anyOf, { ...hints, paths, except }, { text, values })
}

/**
 * Hints for skipping data files: how many of the last rows a plan needs, and their times and
 * values.
 */
export function rowHints({ where, sort, limit, offset, after }: CallsPlan) {
  const isPlainPage = isAlways(where) && after === undefined && isNewestFirst(sort)
  const lastRows = isPlainPage && limit !== undefined ? limit + offset : undefined
  return { lastRows, times: timesOf(where, itemAt(callsTable.order, 1)), values: valuesOf(where) }
}

const queueRelations = (snapshot: Snapshot): QueueRelations => ({
  queues: snapshot.relation(queuesTable.name),
  items: snapshot.relation(queueItemsTable.name),
})
