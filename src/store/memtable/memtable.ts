import { columnIndex, mergeParts, type Row, rowBytes, type Table } from '../../kernel/table.ts'
import { FileIndexBuilder } from '../data-files/file-index-builder.ts'
import { type RowKey, rowKey, splitKey } from '../row-key.ts'

/**
 * One generation of the hot part: what arrived between two flushes. Rows wait in `dirty` until somebody reads or enough have come,
 * then move into a DuckDB table. A row that replaces or deletes one of an older layer puts its key into the mask table, which hides
 * that row from readers.
 */
export class Memtable {
  readonly number: number
  readonly tableName: string
  readonly maskName: string
  /** Merged parts that are not in DuckDB yet. */
  dirty = new Map<RowKey, Row>()
  dirtyBytes = 0
  /** What stayed behind of them the last time that parts moved, because it waits for its other half. */
  incomplete = { rows: 0, bytes: 0 }
  /** Keys of the rows in the DuckDB table. */
  readonly keys = new Set<RowKey>()
  /** Keys of older layers that are hidden, and how many each project has. */
  readonly masked = new Set<RowKey>()
  readonly maskedPerProject = new Map<string, number>()
  /** Parts of rows that cannot be shown yet (an end whose start has not come). */
  readonly orphans = new Map<RowKey, Row>()
  /** Rows deleted in this generation: later parts of them change nothing. */
  readonly tombstones = new Map<RowKey, Row>()
  /** Parts of rows whose other half may lie in a damaged file: they are shown, and written to files, when it is repaired. */
  readonly parked = new Map<RowKey, Row>()
  /** Hashes of the filtered values of the rows, for the filter of the file that will hold them. May hold more than the rows do. */
  readonly indexBuilder: FileIndexBuilder
  bytes = 0
  /** When the first and the last row came; milliseconds. */
  firstWriteMs: number | undefined
  lastWriteMs = 0
  /** When the oldest row came that others cannot see in the files yet; milliseconds. */
  oldestUnflushedMs: number | undefined
  /** Snapshots that still read the DuckDB tables. */
  pins = 0
  /** Whether its DuckDB tables exist. */
  hasTables = false
  private readonly table: Table
  private readonly projectCell: number
  private readonly idCell: number

  constructor(table: Table, number: number) {
    this.table = table
    this.projectCell = columnIndex(table, table.key[0])
    this.idCell = columnIndex(table, table.key[1])
    this.number = number
    this.indexBuilder = new FileIndexBuilder(table)
    this.tableName = `memtable_${table.name}_${number}`
    this.maskName = `mask_${table.name}_${number}`
  }

  /** Dirty rows that may move into DuckDB. */
  get drainableRows(): number {
    return this.dirty.size - this.incomplete.rows
  }

  get rows(): number {
    return this.keys.size + this.dirty.size
  }

  /** Lays parts over what is dirty. The rows belong to the generation from here on; `bytes` is what they take in memory. */
  apply(rows: readonly Row[], bytes: number, nowMs: number): void {
    const { table, dirty, projectCell, idCell } = this
    this.firstWriteMs ??= nowMs
    this.oldestUnflushedMs ??= nowMs
    this.lastWriteMs = nowMs
    this.dirtyBytes += bytes
    for (const row of rows) {
      const key = rowKey(row[projectCell] as string, row[idCell] as string)
      const known = dirty.get(key)
      const merged = known === undefined ? row : mergeParts(table, known, row)
      if (merged !== known) dirty.set(key, merged)
    }
  }

  /** The same for rows whose bytes nobody has counted. */
  applyUnaccounted(rows: readonly Row[], nowMs: number): void {
    let bytes = 0
    for (const row of rows) bytes += rowBytes(row)
    this.apply(rows, bytes, nowMs)
  }

  /** Whether anything is known of the row here, so that what files say of it may not hold. */
  mayContain(key: RowKey): boolean {
    const places = [this.dirty, this.keys, this.masked, this.orphans, this.tombstones, this.parked]
    return places.some((place) => place.has(key))
  }

  /** Puts a part by. */
  park(key: RowKey, part: Row): void {
    const known = this.parked.get(key)
    this.parked.set(key, known === undefined ? part : mergeParts(this.table, known, part))
  }

  mask(key: RowKey): boolean {
    if (this.masked.has(key)) return false
    this.masked.add(key)
    const [project] = splitKey(key)
    this.maskedPerProject.set(project, (this.maskedPerProject.get(project) ?? 0) + 1)
    return true
  }
}
