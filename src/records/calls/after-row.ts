import { dialects } from '../../dialect/dialect.ts'
import type { ProjectReader } from '../../foundation/access/caller.ts'
import type { CallsPlan } from '../../query/calls-plan.ts'
import { columnField } from '../../query/catalog.ts'
import { compileJsonTexts, compileSortKey } from '../../query/compile.ts'
import { type Cursor, cursorBound, jsonKeys } from '../../query/cursor.ts'
import { all, fieldOneOf } from '../../query/expression.ts'
import type { SortKey } from '../../query/sort.ts'
import type { ReadScope } from '../../store/reads.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import type { Store } from '../../store/store.ts'
import { callsTable } from '../../tables/calls-table.ts'
import { type CallsRequest, conditionsOf, type PageStart, parseCalls, settledPlan } from './plan.ts'

/**
 * The plan of a page whose rows stay inside the server, with neutral names.
 *
 * @throws DomainError InvalidRequest, InvalidField, NotImplemented
 */
export async function planPage(
  store: Store,
  reader: ProjectReader,
  question: CallsRequest,
  signal: AbortSignal,
): Promise<CallsPlan> {
  const parsed = parseCalls(reader, question, dialects.ext, new Map())
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
  return await store.read([callsTable.name], scope, async (snapshot) => {
    const exact = await asStored(snapshot, scope.projectId, cursor, sort)
    const [row] = await snapshot.rows(compileSortKey(exact, sort))
    return { after: { sort, sortKey: row![0] as string }, bound: cursorBound(cursor, sort) ?? all([]) }
  })
}

/**
 * The cursor with JSON values to the letter. Clients send what their parser made of them, where
 * `1.0` is `1`, and rows that differ in this alone are sorted as texts. A row that is gone or has
 * changed is not consulted: the page then follows the values that the client saw.
 */
async function asStored(
  snapshot: Snapshot,
  projectId: string,
  cursor: Cursor,
  sort: readonly SortKey[],
): Promise<Cursor> {
  const keys = jsonKeys(sort)
  if (keys.length === 0) return cursor
  const ids = [cursor.id]
  const relation = snapshot.relation(callsTable.name, { id: ids })
  const where = fieldOneOf(columnField('id'), ids)
  const fields = keys.map(({ field }) => field)
  const [row] = await snapshot.rows(compileJsonTexts({ relation, projectId, where }, fields))
  if (row === undefined) return cursor
  const values = [...cursor.values]
  for (const [at, { index }] of keys.entries()) {
    const stored = row[at] as string | null
    const sent = values[index]!
    if (stored !== null && sent.type === 'json' && isSameValue(sent.text, stored)) {
      values[index] = { type: 'json', text: stored }
    }
  }
  return { ...cursor, values }
}

const isSameValue = (sent: string | null, stored: string): boolean =>
  sent !== null && JSON.stringify(JSON.parse(sent)) === JSON.stringify(JSON.parse(stored))
