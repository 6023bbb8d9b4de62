import type { Snapshot } from '../../engine/reads/snapshot.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { itemAt } from '../../lib/present.ts'
import { columnField } from '../../query/catalog.ts'
import { type AfterRow, type Cursor, cursorBound, jsonKeys } from '../../query/cursor.ts'
import { all, type Expression, fieldOneOf } from '../../query/expression.ts'
import type { SortKey } from '../../query/sort.ts'
import { compileJsonTexts, compileSortKey } from '../../query/sql/cursor.ts'

/** Where a page begins, and what all of its rows meet. */
export interface PageStart {
  readonly after: AfterRow
  readonly bound: Expression
}

/** Rows of a table of a project. */
export interface RowsOfTable {
  readonly tableName: string
  readonly projectId: string
}

/** The start of the page that follows the row of a cursor. */
export async function startAfter(
  snapshot: Snapshot,
  rows: RowsOfTable,
  cursor: Cursor,
  sort: readonly SortKey[],
): Promise<PageStart> {
  const exact = await asStored(snapshot, rows, cursor, sort)
  const { sortKey } = itemAt(await snapshot.rows(compileSortKey(exact, sort)), 0)
  return { after: { sort, sortKey, cursor: exact }, bound: cursorBound(cursor, sort) ?? all([]) }
}

/**
 * The cursor with JSON values to the letter. Clients send what their parser made of them, where
 * `1.0` is `1`, and rows that differ in this alone are sorted as texts. A row that is gone or has
 * changed is not consulted: the page then follows the values that the client saw.
 */
async function asStored(
  snapshot: Snapshot,
  { tableName, projectId }: RowsOfTable,
  cursor: Cursor,
  sort: readonly SortKey[],
): Promise<Cursor> {
  const keys = jsonKeys(sort)
  if (keys.length === 0) return cursor
  const ids = [cursor.id]
  const relation = await snapshot.relationWhere(tableName, { id: ids })
  const where = fieldOneOf(columnField('id'), ids)
  const fields = keys.map(({ field }) => field)
  const hasSpans = tableName === callsTable.name
  const [row] = await snapshot.rows(compileJsonTexts({ relation, projectId, where }, fields, { hasSpans }))
  if (row === undefined) return cursor
  const values = [...cursor.values]
  for (const [at, { index }] of keys.entries()) {
    const stored = row[at]
    const sent = itemAt(values, index)
    if (typeof stored === 'string' && sent.type === 'json' && isSameValue(sent.text, stored)) {
      values[index] = { type: 'json', text: stored }
    }
  }
  return { ...cursor, values }
}

const isSameValue = (sent: string | null, stored: string): boolean =>
  sent !== null && JSON.stringify(JSON.parse(sent)) === JSON.stringify(JSON.parse(stored))
