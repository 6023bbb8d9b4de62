import { useMemo } from 'preact/hooks'
import { hiddenIds } from '../../state/pending-deletes.ts'
import type { CallPages } from '../../table/call-pages.ts'
import type { CallRow } from '../../table/call-row.ts'
import type { Column } from '../../table/columns/columns.ts'
import { firstColumns } from '../../table/columns/known-columns.ts'
import { formatRowTime } from '../../table/rows/cells.tsx'

const noRows: readonly CallRow[] = []

/** Times of other years need space for the year. */
const firstWidth = (id: string, hasOld: boolean): number | undefined => (id === 'started' && hasOld ? 106 : undefined)

/**
 * The rows that a table shows, without those that are being deleted, and its columns. Where space
 * is short, threads leave it to the user message and the response.
 */
export function useTableRows(
  pages: CallPages | undefined,
  chosen: readonly Column[] | undefined,
  hasRoom: boolean,
): TableRows {
  const allRows = pages?.rows.value ?? noRows
  const hidden = hiddenIds.value
  const rows = useMemo(
    () => (hidden.size === 0 ? allRows : allRows.filter(({ id }) => !hidden.has(id))),
    [allRows, hidden],
  )
  const present = useMemo(
    () => ({
      feedback: rows.some(({ feedback }) => feedback.length > 0),
      thread: rows.some(({ threadId }) => threadId !== null),
      old: rows.some(({ startedAt }) => formatRowTime(startedAt).includes('’')),
    }),
    [rows],
  )
  const columns = useMemo<readonly Column[]>(
    () =>
      chosen ??
      firstColumns({ ...present, thread: present.thread && hasRoom }).map((id) => ({
        id,
        width: firstWidth(id, present.old),
        isPinned: false,
      })),
    [chosen, present.feedback, present.thread, present.old, hasRoom],
  )
  const state = pages?.state.value
  return { rows, columns, isSettled: state !== undefined && state !== 'reading', isAll: state === 'complete' }
}

interface TableRows {
  readonly rows: readonly CallRow[]
  readonly columns: readonly Column[]
  /** Nothing is being read. */
  readonly isSettled: boolean
  /** All rows have been read. */
  readonly isAll: boolean
}
