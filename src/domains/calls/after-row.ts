import type { ReadScope } from '../../engine/reads/reads.ts'
import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { dialects } from '../../formats/dialect/dialect.ts'
import type { CallsPlan } from '../../query/calls-plan.ts'
import type { Cursor } from '../../query/cursor.ts'
import type { SortKey } from '../../query/sort.ts'
import type { ProjectReader } from '../access/index.ts'
import { type PageStart, startAfter } from '../records/index.ts'
import { type CallsRequest, conditionsOf, parseCalls, settledPlan } from './plan.ts'

/**
 * The plan of a page whose rows stay inside the server, with neutral names.
 *
 * @throws DomainError InvalidRequest, InvalidField, NotImplemented
 */
export async function planPage(
  store: Store,
  reader: ProjectReader,
  request: CallsRequest,
  signal: AbortSignal,
): Promise<CallsPlan> {
  const parsed = parseCalls(reader, request, dialects.ext, new Map())
  const { cursor, projectId, sort } = parsed
  const start = cursor && (await pageStart(store, { projectId, signal }, cursor, sort))
  return settledPlan(parsed, conditionsOf(parsed), start)
}

/** The start of the page that follows the row of a cursor. */
export async function pageStart(
  store: Store,
  scope: ReadScope,
  cursor: Cursor,
  sort: readonly SortKey[],
): Promise<PageStart> {
  const rows = { tableName: callsTable.name, projectId: scope.projectId }
  return await store.read([callsTable.name], scope, (snapshot) => startAfter(snapshot, rows, cursor, sort))
}
