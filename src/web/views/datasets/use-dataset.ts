import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Column, columnsOf, type Row } from '../../dataset/cells.ts'
import { datasetVersionsQuery } from '../../dataset/datasets.ts'
import {
  changesOf,
  type EditedCell,
  type EditedCells,
  type Edits,
  isEmpty,
  noEdits,
  restored,
  textOf,
  withAddedCell,
  withCell,
  withoutRows,
  withRows,
} from '../../dataset/edits.ts'
import { readFilter } from '../../dataset/row-filter.ts'
import type { RowSort } from '../../dataset/table-rows.ts'
import { useEdits } from '../../dataset/use-edits.ts'
import { type GridRow, type GridRows, useRows } from '../../dataset/use-rows.ts'
import { navigate } from '../../state/location.ts'
import { datasetPath, viewPath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { number, oneOf, text } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { offerUndo, showToast } from '../../state/toasts.ts'
import { urlState } from '../../state/url-state.ts'
import { datasetText } from '../../text/dataset.ts'
import { compareSearch, compareUrl } from '../../versions/compare-url.ts'
import { deleteObjectLater } from '../../versions/delete-object.ts'
import { isDataset, type ObjectVersion, usesQuery, versionNamed, versionsQuery } from '../../versions/objects.ts'
import { useVersionActions } from '../../versions/use-version-actions.tsx'

/** What the address of a dataset says: filter, order, row of the cursor, tab where it is narrow. */
export const datasetUrl = urlState({
  f: text(),
  sort: text(),
  row: number(0),
  tab: oneOf(['rows', 'versions', 'changes']),
})

/** Columns are told by the first rows that were read. */
const sampledRows = 300

const sortOf = (text: string): RowSort | undefined =>
  text === ''
    ? undefined
    : { column: text.replace(/^-/, ''), direction: text.startsWith('-') ? ('desc' as const) : ('asc' as const) }

interface WantedDataset {
  readonly projectId: string
  readonly name: string
  /** Digest, alias, tag or `v<number>`; the latest one without. */
  readonly wanted: string | undefined
}

/** A dataset as its page shows it, stored and being edited, and what can be done with it. */
export function useDataset({ projectId, name, wanted }: WantedDataset) {
  const versions = useQuery(versionsQuery(projectId, name))
  const tables = useQuery(datasetVersionsQuery(projectId, name))
  const all = useMemo(() => (versions.data ?? []).filter(({ kind }) => kind !== 'op'), [versions.data])
  const latest = versionNamed(all, 'latest') ?? all[0]
  const uses = useQuery(usesQuery(projectId, all)).data
  const asked = wanted === undefined ? undefined : versionNamed(all, wanted)
  const edit = useEdits({ projectId, name, base: asked ?? latest, latest, tables: tables.data })
  const started = all.find(({ digest }) => digest === edit.draft?.startedFrom)
  const named = wanted === undefined ? (started ?? latest) : asked
  const isOther = edit.draft !== undefined && named?.digest !== edit.draft.startedFrom
  const isReadOnly = !canWrite.value || isOther || (named !== undefined && !isDataset(named))
  const edits = isOther ? noEdits : edit.edits
  const table = named && tables.data?.get(named.digest)
  const rowCount = table?.rowCount ?? 0

  const { f: filterText, sort: sortText } = datasetUrl.values.value
  const sort = useMemo(() => sortOf(sortText), [sortText])
  const known = useRef<readonly Column[]>([])
  // Whether a word of the filter is a column is known once there are columns.
  const [columnNames, setColumnNames] = useState<readonly string[]>([])
  const filter = useMemo(
    () => (columnNames.length === 0 ? undefined : readFilter(filterText, columnNames)),
    [filterText, columnNames],
  )
  const rows = useRows({ projectId, table: table?.table, rowCount, edits, sort, filter })
  const columns = useColumns(known, rows, edits, table?.table)
  useEffect(() => {
    const names = known.current.map(({ name: column }) => column)
    setColumnNames((before) => (before.join('\n') === names.join('\n') ? before : names))
  })

  const nextIndex = Math.max(-1, ...all.map(({ version_index: index }) => index)) + 1
  const isConflict = edit.draft !== undefined && versions.data !== undefined && edit.draft.latest !== latest?.digest
  const changes = useMemo(() => changesOf(edits), [edits])
  const fault = changes.find((change) => change.fault !== undefined)
  const canSave =
    edit.draft !== undefined && !isReadOnly && !isEmpty(edits) && fault === undefined && versions.data !== undefined

  const saveNow = async (overLatest = false) => {
    if (!canSave || (isConflict && !overLatest)) return
    const previous = latest
    const made = await edit.save(overLatest)
    if (made === undefined) return
    navigate(datasetPath(projectId, name) + datasetUrl.searchWith({}), { replace: true })
    showToast({
      kind: 'done',
      text: datasetText.saved(name, nextIndex),
      ...(previous &&
        previous.digest !== made && {
          action: {
            label: datasetText.compare,
            run: () => navigate(datasetPath(projectId, name) + compareSearch(previous.digest, made)),
          },
        }),
    })
  }
  const discardNow = () => {
    const { draft } = edit
    if (draft === undefined) return
    edit.forget()
    offerUndo({ text: datasetText.discarded(name), undo: () => edit.restore(draft) })
  }
  const removeNow = () => {
    navigate(viewPath(projectId, 'datasets'))
    deleteObjectLater(projectId, name, all)
  }
  const compareHref = (left: ObjectVersion, right: ObjectVersion) =>
    datasetPath(projectId, name) + compareSearch(left.digest, right.digest)
  const { menuOf, dialogs } = useVersionActions({
    projectId,
    name,
    versions: all,
    current: named,
    uses,
    compareHref,
    hasObjectPage: true,
  })
  const { from, to } = compareUrl.values.value
  const compareNow = () => {
    if (edit.draft !== undefined && !isOther) {
      navigate(datasetPath(projectId, name) + compareSearch(edit.draft.startedFrom, 'draft'))
      return
    }
    const before = all.find((each) => named && each.version_index < named.version_index)
    const after = all.findLast((each) => named && each.version_index > named.version_index)
    if (named && before) navigate(compareHref(before, named))
    else if (named && after) navigate(compareHref(named, after))
  }
  return {
    versions,
    tables,
    all,
    latest,
    uses,
    named,
    table,
    rowCount,
    rows,
    columns,
    sort,
    edit,
    edits,
    isOther,
    isReadOnly,
    isConflict,
    isComparing: from !== '' && to !== '',
    nextIndex,
    changes,
    fault,
    canSave,
    saveNow,
    discardNow,
    removeNow,
    compareNow,
    menuOf,
    dialogs,
    hrefOf: ({ digest }: ObjectVersion) =>
      digest === edit.draft?.startedFrom ? datasetPath(projectId, name) : datasetPath(projectId, name, digest),
    sortBy: (column: string) => {
      const next = sortText === column ? `-${column}` : sortText === `-${column}` ? '' : column
      datasetUrl.commit({ sort: next, row: 0 })
    },
  }
}

/** Columns of the rows that have been read, then those of changes; they keep their places. */
function useColumns(
  known: { current: readonly Column[] },
  rows: GridRows,
  edits: Edits,
  table: string | undefined,
): readonly Column[] {
  const of = useRef(table)
  if (of.current !== table) {
    of.current = table
    known.current = []
  }
  const sample: Row[] = []
  for (const row of rows.known()) if (sample.push(row) >= sampledRows) break
  const names = new Set(known.current.map(({ name }) => name))
  const news = columnsOf(sample).filter(({ name }) => !names.has(name))
  if (news.length > 0) known.current = [...known.current, ...news]
  const typed = new Map<string, string>()
  for (const { cells } of edits.added) {
    for (const [column, cell] of Object.entries(cells)) {
      const value = textOf(cell, undefined)
      if (value !== undefined && !typed.has(column)) typed.set(column, value)
    }
  }
  const [first = []] = [columnsOf([{ cells: typed }])]
  const added = [...first, ...edits.columns.map((name): Column => ({ name, kind: 'missing', isShort: false }))]
  const key = [...known.current, ...added].map(({ name, kind }) => `${kind} ${name}`).join('\n')
  return useMemo(() => {
    const seen = new Set<string>()
    return [...known.current, ...added].filter(({ name }) => !seen.has(name) && seen.add(name))
  }, [key])
}

/** What can be done with rows of a dataset: each is one step that can be undone. */
export function rowMoves(edits: Edits, change: (edits: Edits) => void) {
  return {
    setCell: ({ row, added }: GridRow, column: string, cell: EditedCell) => {
      if (added) change(withAddedCell(edits, added.id, column, cell))
      else if (row) change(withCell(edits, row, column, cell))
    },
    /** @returns ids of the new rows */
    add: (after: number, cells: readonly EditedCells[]): readonly number[] => {
      const { edits: next, ids } = withRows(edits, after, cells)
      change(next)
      return ids
    },
    /** @returns ids of the new rows */
    duplicate: (chosen: readonly GridRow[]): readonly number[] => {
      let next = edits
      const made: number[] = []
      for (const row of chosen) {
        if (row.id === undefined) continue
        const result = withRows(next, row.id, [cellsIn(row, edits)])
        next = result.edits
        made.push(...result.ids)
      }
      change(next)
      return made
    },
    /** Deletes rows; deleted ones come back if there are no others among them. */
    remove: (chosen: readonly GridRow[]) => {
      const stored = chosen.flatMap(({ row }) => row ?? [])
      const addedIds = new Set(chosen.flatMap(({ added }) => added?.id ?? []))
      const isBack = addedIds.size === 0 && stored.every(({ index }) => index in edits.deleted)
      change(isBack ? restored(edits, stored) : withoutRows(edits, stored, addedIds))
    },
  }
}

/** All cells of a row with its changes. */
export function cellsIn({ id, row, added }: GridRow, edits: Edits): EditedCells {
  const changed = added?.cells ?? (id === undefined ? undefined : edits.edited[id]?.cells) ?? {}
  const stored = [...(row?.cells ?? [])].map(([column, json]) => [column, { json }] as const)
  return { ...Object.fromEntries(stored), ...changed }
}

/** Where the cursor is, the rows that are checked, and moving to a row. */
export function useSelection(rows: GridRows, isReady: boolean) {
  const { row } = datasetUrl.values.value
  const [cursor, setCursor] = useState({ place: 0, column: 0 })
  const [checked, setChecked] = useState<ReadonlyMap<number, GridRow>>(new Map())
  const [jump, setJump] = useState(0)
  const anchor = useRef<number | undefined>(undefined)
  const written = useRef(0)
  const show = (place: number, column = cursor.column) => {
    setCursor({ place, column })
    setJump((count) => count + 1)
  }
  // The row of the address, once there are rows, and when Back names another one.
  useEffect(() => {
    if (!isReady || row === written.current) return
    written.current = row
    if (row > 0) show(rows.placeOf(row - 1) ?? Math.min(row, rows.count) - 1)
  }, [isReady, row])
  const point = (next: { readonly place: number; readonly column: number }) => {
    setCursor(next)
    const id = rows.at(next.place).id
    if (id === undefined || id < 0) return
    written.current = id + 1
    datasetUrl.replace({ row: id + 1 })
  }
  const toggle = (place: number, isRange: boolean) => {
    const next = new Map(checked)
    const from = isRange ? (anchor.current ?? place) : place
    const isOn = !checked.has(rows.at(place).id ?? Number.NaN)
    for (let at = Math.min(from, place); at <= Math.max(from, place); at++) {
      const each = rows.at(at)
      if (each.id === undefined) continue
      if (isOn) next.set(each.id, each)
      else next.delete(each.id)
    }
    anchor.current = place
    setChecked(next)
  }
  return { cursor, point, show, checked, toggle, jump, clear: () => setChecked(new Map()) }
}
