import type { Column, Row, Table } from '../../model/table.ts'
import { columnIndex } from '../../model/table.ts'
import { FilterValues } from '../segment/filter-values.ts'

/** Identity of a row: project and id, joined by a character that neither holds. */
export type RowKey = string

export const rowKey = (project: string, id: string): RowKey => `${project}\n${id}`

export function splitKey(key: RowKey): [project: string, id: string] {
  const at = key.indexOf('\n')
  return [key.slice(0, at), key.slice(at + 1)]
}

/**
 * One generation of the hot part: what arrived between two flushes. Rows wait in `dirty` until somebody reads or enough have come,
 * then move into a DuckDB table. A row that replaces or deletes one of an older layer puts its key into the mask table, which hides
 * that row from readers.
 */
export class Generation {
  readonly number: number
  readonly tableName: string
  readonly maskName: string
  /** Merged parts that are not in DuckDB yet. */
  dirty = new Map<RowKey, Row>()
  dirtyBytes = 0
  /** What stayed behind of them the last time that parts moved, because it waits for its other half. */
  unfinished = { rows: 0, bytes: 0 }
  /** Keys of the rows in the DuckDB table. */
  readonly keys = new Set<RowKey>()
  /** Keys of older layers that are hidden, and how many each project has. */
  readonly masked = new Set<RowKey>()
  readonly maskedPerProject = new Map<string, number>()
  /** Parts of rows that cannot be shown yet (an end whose start has not come). */
  readonly waiting = new Map<RowKey, Row>()
  /** Rows deleted in this generation: later parts of them change nothing. */
  readonly tombstones = new Map<RowKey, Row>()
  /** Hashes of the filtered values of the rows, for the filter of the file that will hold them. May hold more than the rows do. */
  readonly filterValues: FilterValues
  bytes = 0
  /** When the first and the last row came; milliseconds. */
  firstAtMs: number | undefined
  lastAtMs = 0
  /** Snapshots that still read the DuckDB tables. */
  pins = 0
  /** Whether its DuckDB tables exist. */
  hasTables = false

  constructor(table: Table, number: number) {
    this.number = number
    this.filterValues = new FilterValues(table)
    this.tableName = `hot_${table.name}_${number}`
    this.maskName = `mask_${table.name}_${number}`
  }

  get rows(): number {
    return this.keys.size + this.dirty.size
  }

  /** Whether anything is known of the row here, so that what files say of it may not hold. */
  knows(key: RowKey): boolean {
    const places = [this.dirty, this.keys, this.masked, this.waiting, this.tombstones]
    return places.some((place) => place.has(key))
  }

  mask(key: RowKey): boolean {
    if (this.masked.has(key)) return false
    this.masked.add(key)
    const [project] = splitKey(key)
    this.maskedPerProject.set(project, (this.maskedPerProject.get(project) ?? 0) + 1)
    return true
  }
}

/** Columns of a mask table. */
export const maskColumns = (table: Table): Column[] => table.key.map((name) => table.columns[columnIndex(table, name)]!)
