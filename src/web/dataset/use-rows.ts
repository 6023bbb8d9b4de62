import { useEffect, useMemo } from 'preact/hooks'
import type { Row } from './cells.ts'
import { type AddedRow, type Edits, placeOf, rowAt } from './edits.ts'
import type { RowFilter } from './row-filter.ts'
import { type Matches, RowSearch, type RowSort, TableRows } from './table-rows.ts'

/** A place of the grid: a stored row, which may still be on its way, or an added one. */
export interface GridRow {
  /** Position of a stored row, or id of an added one; undefined until the row is there. */
  readonly id: number | undefined
  readonly row: Row | undefined
  readonly added: AddedRow | undefined
}

/** The rows that a grid shows, with their changes, in their order. */
export interface GridRows {
  readonly count: number
  readonly at: (place: number) => GridRow
  /** The place of a row; undefined if it is not shown, or not known. */
  readonly placeOf: (id: number) => number | undefined
  /** Asks for the rows of some places. */
  readonly want: (first: number, last: number) => void
  /** Rows that have been read, for the columns. */
  readonly known: () => Iterable<Row>
  readonly failure: unknown
  readonly retry: () => void
  /** State of a search; undefined without a filter. */
  readonly search: Matches | undefined
}

interface RowsOptions {
  readonly projectId: string
  /** Digest of the table; undefined until it is known. */
  readonly table: string | undefined
  readonly rowCount: number
  readonly edits: Edits
  readonly sort: RowSort | undefined
  readonly filter: RowFilter | undefined
}

/** Follows the rows of a version: in its order, sorted by the server, or those that match. */
export function useRows({ projectId, table, rowCount, edits, sort, filter }: RowsOptions): GridRows {
  const sortKey = sort && `${sort.direction} ${sort.column}`
  const rows = useMemo(
    () => (table === undefined ? undefined : new TableRows({ projectId, digest: table, sort })),
    [projectId, table, sortKey],
  )
  useEffect(() => () => rows?.stop(), [rows])
  const search = useMemo(
    () =>
      table === undefined || filter === undefined
        ? undefined
        : new RowSearch({ projectId, digest: table, sort }, filter),
    [projectId, table, sortKey, filter],
  )
  useEffect(() => () => search?.stop(), [search])
  void rows?.arrived.value
  const found = search?.found.value
  const asked = useMemo(() => ({ first: 0, last: 50 }), [rows])
  const want = (first: number, last: number) => {
    Object.assign(asked, { first, last })
    if (search === undefined) rows?.want(first, Math.min(last, rowCount))
  }
  const shared = {
    want,
    known: () => (found && found.rows.length > 0 ? found.rows.slice(0, 200) : (rows?.known() ?? [])),
    failure: found?.error ?? rows?.failure.value,
    retry: () => rows?.retry(asked.first, asked.last),
    search: found,
  }
  if (found !== undefined || sort !== undefined) {
    // Added rows are in no order, and match no filter: they stand at the end.
    const stored = found?.rows.length ?? rowCount
    const rowIn = (place: number) => (found === undefined ? rows?.at(place) : found.rows[place])
    return {
      ...shared,
      count: stored + edits.added.length,
      at: (place) => {
        const added = edits.added[place - stored]
        const row = added ? undefined : rowIn(place)
        return { id: added?.id ?? row?.index, row, added }
      },
      placeOf: (id) => {
        const at = id < 0 ? edits.added.findIndex((row) => row.id === id) : -1
        if (at >= 0) return stored + at
        const place = found?.rows.findIndex(({ index }) => index === id) ?? -1
        return place < 0 ? undefined : place
      },
    }
  }
  const last = rowCount + edits.added.length
  return {
    ...shared,
    count: last,
    at: (place) => {
      const id = rowAt(edits, place)
      return id < 0
        ? { id, row: undefined, added: edits.added.find((row) => row.id === id) }
        : { id, row: rows?.at(id), added: undefined }
    },
    placeOf: (id) => {
      const place = placeOf(edits, id)
      return place < 0 || place >= last ? undefined : place
    },
  }
}
