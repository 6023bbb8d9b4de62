import { BatchRow } from '../../lib/batch-row.ts'
import { itemAt, present } from '../../lib/present.ts'
import {
  type Column,
  cellReader,
  columnIndex,
  mergeParts,
  type Row,
  rowBytes,
  type Table,
  timeColumn,
} from '../../lib/table.ts'
import { type CellPosition, cellAt, type KeyPositions, keyPositions, positionOf } from '../../lib/typed-rows.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { FileIndexBuilder } from '../data-files/file-index-builder.ts'
import { fileColumns } from '../data-files/file-scan.ts'
import { type Lesson, Lessons, lessonOf, toldAt } from '../lineage/lessons.ts'
import { type RowKey, rowKey, splitKey } from '../row-key.ts'
import { MaskedKeys } from './masked-keys.ts'
import { RecentTimes } from './recent-times.ts'

/** A row that is not in DuckDB yet: its cells, or where they are in a batch. */
export type DirtyRow = Row | BatchRow

export const toRow = (row: DirtyRow): Row => (row instanceof BatchRow ? row.toRow() : row)

export const isNullCell = (row: DirtyRow, cell: number): boolean =>
  row instanceof BatchRow ? row.isNull(cell) : row[cell] === null

export const dirtyBytes = (row: DirtyRow): number => (row instanceof BatchRow ? row.bytes : rowBytes(row))

/** Merges a row with a later part; see `mergeParts`. */
export function mergeDirty(table: Table, base: DirtyRow, part: DirtyRow): DirtyRow {
  if (table.merge === 'row') return part
  const mayChangeBase = table.detach !== undefined && !isNullCell(base, table.detach.cell)
  if (part instanceof BatchRow && base instanceof BatchRow && !mayChangeBase) {
    const both = part.over(base)
    if (both !== undefined) return both
  }
  return mergeParts(table, toRow(base), toRow(part))
}

/** A change of a row of an older layer: a row that replaces it, or its deletion. */
export interface RowChange {
  /** When the row was first changed; milliseconds. */
  readonly sinceMs: number
  /** Size in memory of what replaces it. */
  readonly bytes: number
}

/** When a row was written last; milliseconds. */
export const touchedMs = (table: Table, row: DirtyRow): number =>
  (timeIn(row, positionOf(table, table.updatedAtColumn, 'time')) ?? 0) / 1000

const timeIn = (row: DirtyRow, position: CellPosition<number | null>): number | null =>
  row instanceof BatchRow ? row.number(position) : cellAt(row, position)

/**
 * A memtable: what arrived between two flushes. Parts wait in `dirty` until a read or a size limit
 * drains them into a DuckDB table. A row that replaces or deletes one of an older layer puts its
 * key into the mask table, which hides the older row from readers.
 */
export class Memtable {
  readonly number: number
  readonly tableName: string
  readonly maskName: string
  /** Merged parts that are not in DuckDB yet. */
  dirty = new Map<RowKey, DirtyRow>()
  dirtyBytes = 0
  /** The dirty parts that the last drain kept back because their other half is missing. */
  incomplete = { rows: 0, bytes: 0 }
  /** How many parts are on their way from `dirty` into DuckDB. */
  draining = 0
  /** Keys of the rows in the DuckDB table. */
  readonly keys = new Set<RowKey>()
  /** When the rows in the DuckDB table began. */
  readonly recentTimes = new RecentTimes()
  /** Keys hidden in older layers. */
  readonly masked = new MaskedKeys()
  /** Keys of rows that were in the DuckDB table and have been deleted. */
  readonly deletedHere = new Set<RowKey>()
  /** Parts of rows that cannot be shown yet (an end without its start). */
  readonly orphans = new Map<RowKey, Row>()
  /** Whether the DuckDB table has such parts, too, which readers skip. */
  hasStoredOrphans = false
  /** Rows here that replace one of an older layer. */
  readonly replaced = new Map<RowKey, RowChange>()
  /** Rows deleted in this memtable: later parts of them are ignored. */
  readonly tombstones = new Map<RowKey, Row>()
  /**
   * Parts of rows whose other half may be in a damaged file. They become visible, and are flushed,
   * once the file is repaired.
   */
  readonly parked = new Map<RowKey, Row>()
  /** Facts for rows from rows below them, as parts that hold nothing else; see `Lineage`. */
  readonly lessons = new Lessons()
  /** Whether dirty rows may have facts for rows above them. */
  mayHaveFacts = false
  /** Builds the index of the file that will hold the rows. May contain more than they do. */
  readonly indexBuilder: FileIndexBuilder
  bytes = 0
  /** When the first and the last row arrived; milliseconds. */
  firstWriteMs: number | undefined
  lastWriteMs = 0
  /** When the oldest row arrived that is not yet visible in the files; milliseconds. */
  oldestUnflushedMs: number | undefined
  /** Snapshots that still read the DuckDB tables. */
  pins = 0
  /** Whether the DuckDB tables exist. */
  hasTables = false
  private readonly table: Table
  private readonly key: KeyPositions
  /** When rows began: the second sort column, if that is a time. */
  private readonly startCell: CellPosition<number | null> | undefined

  constructor(table: Table, number: number) {
    this.table = table
    this.key = keyPositions(table)
    const start = timeColumn(table)
    this.startCell = start && positionOf(table, start.name, 'time')
    this.number = number
    this.indexBuilder = new FileIndexBuilder(table)
    this.tableName = `memtable_${table.name}_${number}`
    this.maskName = `mask_${table.name}_${number}`
  }

  /** Dirty rows that may be drained. */
  get drainableRows(): number {
    return this.dirty.size - this.incomplete.rows
  }

  /** At no time fewer than have been applied and can be shown; some may count twice. */
  get rows(): number {
    return this.keys.size + this.draining + this.dirty.size
  }

  /**
   * Merges parts into the dirty rows, and takes ownership of them: their memory may be freed as
   * soon as they are in DuckDB. `bytes` is their size in memory.
   */
  apply(rows: readonly DirtyRow[], bytes: number, nowMs: number): void {
    this.firstWriteMs ??= nowMs
    this.oldestUnflushedMs ??= nowMs
    this.lastWriteMs = nowMs
    this.dirtyBytes += bytes
    const { project, id } = this.key
    const { lineage } = this.table
    if (lineage !== undefined && !this.mayHaveFacts)
      this.mayHaveFacts = rows.some((row) => lineage.mayHaveFacts(row instanceof BatchRow ? row : cellReader(row)))
    for (const row of rows) {
      const key =
        row instanceof BatchRow
          ? rowKey(row.batch.repeatedText(project, row.index), present(row.text(id), 'The id of a row'))
          : rowKey(cellAt(row, project), cellAt(row, id))
      this.lay(key, row)
    }
  }

  private lay(key: RowKey, row: DirtyRow): void {
    if (this.lessons.size > 0) this.lessons.dropBefore(key, toldAt(this.table, row))
    const known = this.dirty.get(key)
    if (known !== undefined) for (const part of [known, row]) this.keepHints(key, part)
    const merged = known === undefined ? row : mergeDirty(this.table, known, row)
    if (merged !== known) this.dirty.set(key, merged)
  }

  /** Lets a row learn something when the dirty rows are moved. It is not in the log. */
  teach(key: RowKey, lesson: Lesson, nowMs: number): void {
    this.firstWriteMs ??= nowMs
    this.oldestUnflushedMs ??= nowMs
    this.lastWriteMs = nowMs
    this.lessons.add(this.table, key, lesson)
    this.mayHaveFacts = true
  }

  /** Keeps what a row has learned from its batch, which it loses when it is merged with others. */
  keepHints(key: RowKey, row: DirtyRow): void {
    const lesson = lessonOf(this.table, row)
    if (lesson !== undefined) this.lessons.add(this.table, key, lesson)
  }

  /** The same for rows whose size has not been computed. */
  applyUnaccounted(rows: readonly DirtyRow[], nowMs: number): void {
    let bytes = 0
    for (const row of rows) bytes += dirtyBytes(row)
    this.apply(rows, bytes, nowMs)
  }

  /** Whether this memtable has any information on the row, which may override the files. */
  mayContain(key: RowKey): boolean {
    const places = [this.dirty, this.keys, this.masked, this.orphans, this.tombstones, this.parked]
    return places.some((place) => place.has(key))
  }

  /** Takes note of a row that is in the DuckDB table now. */
  noteStored(key: RowKey, row: DirtyRow): void {
    const { table, masked, replaced, orphans, tombstones, startCell } = this
    this.keys.add(key)
    if (orphans.size > 0) orphans.delete(key)
    if (tombstones.size > 0) tombstones.delete(key)
    if (masked.size > 0 && masked.has(key)) {
      const sinceMs = replaced.get(key)?.sinceMs ?? touchedMs(table, row)
      replaced.set(key, { sinceMs, bytes: dirtyBytes(row) })
    }
    if (startCell !== undefined)
      this.recentTimes.note(() => ({ project: splitKey(key)[0], micros: timeIn(row, startCell) }))
  }

  /** What became of a masked row; undefined if its earlier version cannot wait in its file. */
  changeOf(key: RowKey): RowChange | undefined {
    const tombstone = this.tombstones.get(key)
    if (tombstone !== undefined) return { sinceMs: touchedMs(this.table, tombstone), bytes: 0 }
    return this.keys.has(key) ? this.replaced.get(key) : undefined
  }

  /** Sets a part aside. */
  park(key: RowKey, part: Row): void {
    const known = this.parked.get(key)
    this.parked.set(key, known === undefined ? part : mergeParts(this.table, known, part))
  }

  /**
   * Forgets the rows of a project that are in no table: those that cannot be shown, and tombstones.
   * Those that replace others need not wait.
   */
  drop(project: string): void {
    for (const place of [this.orphans, this.tombstones, this.parked, this.replaced])
      for (const key of [...place.keys()]) if (splitKey(key)[0] === project) place.delete(key)
  }
}

/** Creates the DuckDB tables that hold the rows and the mask of a memtable. */
export async function createTables(writer: Writer, table: Table, memtable: Memtable): Promise<void> {
  await writer.createTable(memtable.tableName, fileColumns(table))
  await writer.createTable(memtable.maskName, maskColumns(table))
  memtable.hasTables = true
}

export async function dropTables(writer: Writer, memtable: Memtable): Promise<void> {
  await writer.dropTable(memtable.tableName)
  await writer.dropTable(memtable.maskName)
}

const maskColumnsByTable = new WeakMap<Table, readonly Column[]>()

/**
 * The columns of a mask table: the key. One array per table, because the writer caches an appender
 * for each array.
 */
export function maskColumns(table: Table): readonly Column[] {
  const known = maskColumnsByTable.get(table)
  if (known) return known
  const columns = table.key.map((name) => itemAt(table.columns, columnIndex(table, name)))
  maskColumnsByTable.set(table, columns)
  return columns
}
