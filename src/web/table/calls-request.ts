import type { FilterNode } from '../filter/expression.ts'
import { isUsagePath, requestPath } from '../filter/fields.ts'
import { type Query, toQuery } from '../filter/to-query.ts'
import { isPathColumn, pathOfColumn } from './columns/column-paths.ts'
import type { Sort } from './columns/sort.ts'

/** Which calls a table shows, in which order. */
export interface CallsQuery {
  readonly projectId: string
  /** Traces instead of calls. */
  readonly rootsOnly: boolean
  /** With the time range. */
  readonly filter: FilterNode | undefined
  readonly sort: Sort
}

/** The operation that answers the rows. */
export const rowsPath = '/calls/stream_query'

/** Rows a request asks for: the first page fills a large screen. */
export const pageRows = 100

const previewChars = 160

/** Members that the cells of a table need, except payloads. */
const members = [
  'id',
  'trace_id',
  'parent_id',
  'op_name',
  'display_name',
  'thread_id',
  'started_at',
  'ended_at',
  'exception',
  'ext_user_id',
  'summary.ext.status',
  'summary.ext.latency_ms',
]

/** Filter and query of a request about these calls. */
export function scopeOf({ projectId, rootsOnly, filter }: Omit<CallsQuery, 'sort'>): {
  project_id: string
  filter?: { trace_roots_only: true }
  query?: Query
} {
  const query = toQuery(filter, rootsOnly)
  return { project_id: projectId, ...(rootsOnly && { filter: { trace_roots_only: true } }), ...(query && { query }) }
}

/** Paths that rows are sorted by. The id makes the order total, as the cursor needs it. */
export const sortKeys = ({ sort, rootsOnly }: Pick<CallsQuery, 'sort' | 'rootsOnly'>) => [
  { field: requestPath(pathOfColumn(sort.id), rootsOnly), direction: sort.direction },
]

/**
 * Body of the request for a page.
 *
 * @param after cursor of the row before the page
 * @param rowsBefore number of rows before the page
 */
export const pageBody = (query: CallsQuery, after: readonly unknown[] | undefined, rowsBefore: number) => ({
  ...scopeOf(query),
  limit: pageRows,
  sort_by: sortKeys(query),
  // The cursor needs the value that rows are sorted by.
  columns: isPathColumn(query.sort.id) ? [...members, query.sort.id] : members,
  omit_null: true,
  preview_chars: previewChars,
  include_feedback: true,
  // Rows do not hold the usage that they are sorted by.
  ...(isUsagePath(pathOfColumn(query.sort.id)) ? { offset: rowsBefore } : after && { after }),
})
