/** Rows that somebody has checked, and the row that a range of checks begins at. */
export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly anchor: string | undefined
}

/** Most rows that can be checked at a time. */
export const selectedMax = 1_000

/** Nothing checked. */
export const noSelection: Selection = { ids: new Set(), anchor: undefined }

/** Checks a row, or takes its check away. */
export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids)
  if (!next.delete(id) && next.size < selectedMax) next.add(id)
  return { ids: next, anchor: id }
}

/** Checks all rows from the anchor to `id`, in the order of the table. */
export function extended(selection: Selection, id: string, order: readonly string[]): Selection {
  const from = selection.anchor === undefined ? -1 : order.indexOf(selection.anchor)
  const to = order.indexOf(id)
  if (from < 0 || to < 0) return toggled(selection, id)
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { ids: new Set([...selection.ids, ...range].slice(0, selectedMax)), anchor: selection.anchor }
}

/** Checks every row; takes all checks away if every row has one. */
export function allToggled({ ids }: Selection, order: readonly string[]): Selection {
  const isAll = order.length > 0 && order.every((id) => ids.has(id))
  return isAll ? noSelection : { ids: new Set(order.slice(0, selectedMax)), anchor: undefined }
}

/** State of the checkbox in the head. */
export const selectionState = ({ ids }: Selection, order: readonly string[]): 'none' | 'some' | 'all' =>
  ids.size === 0 ? 'none' : order.length > 0 && order.every((id) => ids.has(id)) ? 'all' : 'some'
