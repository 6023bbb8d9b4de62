import { itemAt } from '../../lib/present.ts'
import { type EditKind, membersOf, objectOf, type Row } from './cells.ts'

/** A cell that somebody changed: JSON text (null: no such member), or what is not yet a value. */
export type EditedCell =
  | { readonly json: string | null }
  | { readonly typed: string; readonly as: EditKind; readonly fault: string }

/** Changed cells of a row, by column. */
export type EditedCells = Readonly<Record<string, EditedCell>>

/** A row that is not stored yet. */
export interface AddedRow {
  /** Counts down from -2: no position of a stored row, and not the first place. */
  readonly id: number
  /** Position of the stored row that it follows; -1 for the first place. */
  readonly after: number
  readonly cells: EditedCells
}

/** Unsaved changes of the rows of a version. They can be written as JSON. */
export interface Edits {
  /** By position: the row as it was, and what changed in it. */
  readonly edited: Readonly<Record<number, { readonly before: string; readonly cells: EditedCells }>>
  /** By position: the row as it was. */
  readonly deleted: Readonly<Record<number, string>>
  /** By `after`; those that follow one row in their order. */
  readonly added: readonly AddedRow[]
  /** Columns that no stored row has. */
  readonly columns: readonly string[]
}

/** No changes. */
export const noEdits: Edits = { edited: {}, deleted: {}, added: [], columns: [] }

/** How many rows differ. */
export const countEdits = ({ edited, deleted, added }: Edits) => ({
  added: added.length,
  edited: Object.keys(edited).filter((index) => !(index in deleted)).length,
  deleted: Object.keys(deleted).length,
})

/** Whether nothing differs; a new column without cells is no difference to the rows. */
export const isEmpty = (edits: Edits): boolean => {
  const { added, edited, deleted } = countEdits(edits)
  return added + edited + deleted === 0
}

/** JSON text of a cell as edited; undefined where the row has no such member. */
export const textOf = (cell: EditedCell | undefined, stored: string | undefined): string | undefined =>
  cell === undefined ? stored : 'json' in cell ? (cell.json ?? undefined) : JSON.stringify(cell.typed)

/** Changes a cell of a stored row. Back to what it was is no change. */
export function withCell(edits: Edits, row: Row, column: string, cell: EditedCell): Edits {
  const before = edits.edited[row.index]
  const { [column]: _, ...others } = before?.cells ?? {}
  const isSame = 'json' in cell && (cell.json ?? undefined) === row.cells.get(column)
  const cells = isSame ? others : { ...others, [column]: cell }
  const { [row.index]: __, ...rest } = edits.edited
  const edited =
    Object.keys(cells).length === 0 ? rest : { ...rest, [row.index]: { before: before?.before ?? row.text, cells } }
  return { ...edits, edited }
}

/** Changes a cell of an added row. */
export const withAddedCell = (edits: Edits, id: number, column: string, cell: EditedCell): Edits => ({
  ...edits,
  added: edits.added.map((row) => (row.id === id ? { ...row, cells: { ...row.cells, [column]: cell } } : row)),
})

/** Adds rows behind a stored row, or behind an added one. @returns the edits, and the new ids */
export function withRows(
  edits: Edits,
  after: number,
  rows: readonly EditedCells[],
): { readonly edits: Edits; readonly ids: readonly number[] } {
  const first = Math.min(-1, ...edits.added.map(({ id }) => id)) - 1
  const behind = edits.added.find(({ id }) => id === after)
  const place = behind?.after ?? after
  const added = rows.map((cells, index) => ({ id: first - index, after: place, cells }))
  const at =
    behind === undefined
      ? edits.added.findIndex((row) => row.after >= place)
      : edits.added.findIndex(({ id }) => id === after) + 1
  const split = at < 0 ? edits.added.length : at
  return {
    edits: { ...edits, added: [...edits.added.slice(0, split), ...added, ...edits.added.slice(split)] },
    ids: added.map(({ id }) => id),
  }
}

/** Deletes stored rows, and forgets added ones. */
export function withoutRows(edits: Edits, rows: readonly Row[], addedIds: ReadonlySet<number>): Edits {
  const deleted = { ...edits.deleted }
  for (const { index, text } of rows) deleted[index] = text
  return { ...edits, deleted, added: edits.added.filter(({ id }) => !addedIds.has(id)) }
}

/** Takes the deletions of rows back. */
export function restored(edits: Edits, rows: readonly Row[]): Edits {
  const back = new Set(rows.map(({ index }) => String(index)))
  const deleted = Object.fromEntries(Object.entries(edits.deleted).filter(([index]) => !back.has(index)))
  return { ...edits, deleted }
}

/** The row that stands at a place of the grid: position of a stored one, or id of an added one. */
export function rowAt({ added }: Edits, place: number): number {
  const before = countBefore(added, (row, index) => row.after + 1 + index < place)
  const row = added[before]
  return row !== undefined && row.after + 1 + before === place ? row.id : place - before
}

/** The place of a row in the grid. */
export function placeOf({ added }: Edits, id: number): number {
  if (id >= 0) return id + countBefore(added, (row) => row.after < id)
  const at = added.findIndex((row) => row.id === id)
  return at < 0 ? -1 : itemAt(added, at).after + 1 + at
}

/** How many of the first rows meet a condition, which none after them does. */
function countBefore(added: readonly AddedRow[], isBefore: (row: AddedRow, index: number) => boolean): number {
  let [low, high] = [0, added.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(itemAt(added, middle), middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** A line of the list of changes. */
export interface Change {
  readonly id: number
  readonly kind: 'added' | 'edited' | 'deleted'
  /** Changed columns. */
  readonly columns: readonly string[]
  /** What is wrong with one of them. */
  readonly fault: { readonly column: string; readonly reason: string } | undefined
}

/** All changes in the order of the rows. */
export function changesOf(edits: Edits): readonly Change[] {
  const { edited, deleted, added } = edits
  const changes: Change[] = [
    ...Object.keys(deleted).map((index) => ({
      id: Number(index),
      kind: 'deleted' as const,
      columns: [],
      fault: undefined,
    })),
    ...Object.entries(edited).flatMap(([index, { cells }]) =>
      index in deleted
        ? []
        : [{ id: Number(index), kind: 'edited' as const, columns: Object.keys(cells), fault: faultIn(cells) }],
    ),
    ...added.map(({ id, cells }) => ({
      id,
      kind: 'added' as const,
      columns: Object.keys(cells),
      fault: faultIn(cells),
    })),
  ]
  return changes.sort((a, b) => placeOf(edits, a.id) - placeOf(edits, b.id))
}

function faultIn(cells: EditedCells): Change['fault'] {
  for (const [column, cell] of Object.entries(cells)) if ('fault' in cell) return { column, reason: cell.fault }
  return undefined
}

/** JSON text of a stored row with its changes: members keep their order, others follow. */
export function editedText(before: string, cells: EditedCells): string {
  const members = new Map(membersOf(before))
  for (const [column, cell] of Object.entries(cells)) {
    const text = textOf(cell, undefined)
    if (text === undefined) members.delete(column)
    else members.set(column, text)
  }
  return objectOf(members)
}

/** JSON text of an added row. */
const addedText = ({ cells }: AddedRow): string => editedText('{}', cells)

/**
 * The changes as elements of `/table/update`, each as JSON text. They are in such an order that
 * each position is that of the version they start from.
 *
 * @param count rows of that version
 */
export function updatesOf({ edited, deleted, added }: Edits, count: number): readonly string[] {
  const updates: string[] = []
  const insert = (index: number, row: string) => updates.push(`{"insert":{"index":${index},"row":${row}}}`)
  const last = added.filter(({ after }) => after >= count - 1)
  for (const row of last) updates.push(`{"append":{"row":${addedText(row)}}}`)
  const inner = Map.groupBy(
    added.filter(({ after }) => after < count - 1),
    ({ after }) => after,
  )
  const touched = new Set([...Object.keys(edited), ...Object.keys(deleted), ...inner.keys()].map(Number))
  for (const index of [...touched].sort((a, b) => b - a)) {
    for (const row of inner.get(index)?.toReversed() ?? []) insert(index + 1, addedText(row))
    const change = edited[index]
    const isDeleted = index in deleted
    if (change === undefined && !isDeleted) continue
    updates.push(`{"pop":{"index":${index}}}`)
    if (change !== undefined && !isDeleted) insert(index, editedText(change.before, change.cells))
  }
  return updates
}
