import { nameOfPath } from '../../filter/fields.ts'
import { tableText } from '../../text/table.ts'
import { type ColumnName, pathOfColumn } from './column-paths.ts'

/** How the cells of a column look. */
type CellKind =
  | 'status'
  | 'op'
  | 'input'
  | 'output'
  | 'latency'
  | 'tokens'
  | 'cost'
  | 'model'
  | 'feedback'
  | 'thread'
  | 'time'
  | 'user'
  | 'name'
  | 'value'

/** Description of a column. */
export interface KnownColumn {
  readonly id: string
  readonly label: string
  readonly kind: CellKind
  /** Field that it sorts and filters by. */
  readonly path: string
  /** Pixels; a share of the rest of the row for texts. */
  readonly width: number
  readonly grows?: boolean
  /** Pixels to which it shrinks where space is short. */
  readonly least?: number
  readonly isNumeric?: boolean
  readonly canSort: boolean
  /** Direction of the first click on its head. */
  readonly firstSort: 'asc' | 'desc'
}

const known: readonly KnownColumn[] = [
  column('status', 'status', 16),
  column('op', 'op', 110, { canSort: true }),
  column('input', 'input', 96, { grows: true }),
  column('output', 'output', 96, { grows: true }),
  column('latency', 'latency', 116, { canSort: true, isNumeric: true, firstSort: 'desc' }),
  column('tokens', 'tokens', 54, { canSort: true, isNumeric: true, firstSort: 'desc' }),
  column('cost', 'cost', 66, { canSort: true, isNumeric: true, firstSort: 'desc' }),
  column('model', 'model', 130, { canSort: true, least: 90 }),
  column('feedback', 'feedback', 66),
  column('thread', 'thread', 112, { canSort: true, least: 72 }),
  column('user', 'user', 90, { canSort: true }),
  column('name', 'name', 150, { canSort: true }),
  column('started', 'time', 96, { canSort: true, isNumeric: true, firstSort: 'desc' }),
]

/** Columns that a table offers by name, in their first order. */
export const offeredColumns: readonly string[] = known.map(({ id }) => id)

/** Columns that only users add. */
const added: ReadonlySet<string> = new Set(['model', 'user', 'name'])

/**
 * Columns that a table shows until somebody chooses others: those that its rows have values for.
 */
export const firstColumns = (has: { readonly feedback: boolean; readonly thread: boolean }): readonly string[] =>
  offeredColumns.filter(
    (id) => !added.has(id) && (id !== 'feedback' || has.feedback) && (id !== 'thread' || has.thread),
  )

const byId = new Map(known.map((column) => [column.id, column]))

/** The column with that name; any other name is a path in calls. */
export const columnById = (id: string): KnownColumn =>
  byId.get(id) ?? {
    id,
    label: nameOfPath(id),
    kind: 'value',
    path: id,
    width: 120,
    canSort: true,
    firstSort: 'asc',
  }

function column(id: ColumnName, kind: CellKind, width: number, more: Partial<KnownColumn> = {}): KnownColumn {
  return {
    id,
    label: tableText.columns[id],
    kind,
    path: pathOfColumn(id),
    width,
    canSort: false,
    firstSort: 'asc',
    ...more,
  }
}
