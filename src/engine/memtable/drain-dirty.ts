import { storageLimits } from '../../lib/limits/storage.ts'
import { columnIndex, type Table } from '../../lib/table.ts'
import type { RowKey } from '../row-key.ts'
import { type DirtyRow, dirtyBytes, isNullCell, type Memtable, toRow } from './memtable.ts'

/**
 * What is drained into DuckDB: `all` before a read; all but the newest incomplete rows to free
 * memory; all but lessons of rows that are not drained at the same time during a replay. Halves
 * that meet in memory need no fetch, delete and reinsert, nor do lessons that meet their row.
 */
export type DrainMode = 'all' | 'incomplete stay' | 'lessons stay'

/**
 * Takes the oldest dirty parts out of `memtable`, up to the size of one step, with the bytes
 * accounted for them.
 */
export function drainDirty(
  table: Table,
  memtable: Memtable,
  mode: DrainMode,
): { parts: Map<RowKey, DirtyRow>; bytes: number } {
  const { dirty } = memtable
  const retained = mode === 'incomplete stay' ? newestIncomplete(table, dirty) : new Map<RowKey, DirtyRow>()
  const parts = new Map<RowKey, DirtyRow>()
  let bytes = 0
  for (const [key, row] of dirty) {
    if (retained.has(key)) continue
    parts.set(key, row)
    bytes += dirtyBytes(row)
    if (parts.size >= storageLimits.drainedRowsMax || bytes >= storageLimits.drainedBytesMax) break
  }
  for (const key of parts.keys()) dirty.delete(key)
  let retainedBytes = 0
  for (const [key, row] of retained) {
    retainedBytes += dirtyBytes(row)
    // Otherwise one row would keep its whole batch in memory.
    if (Array.isArray(row)) continue
    memtable.keepHints(key, row)
    dirty.set(key, toRow(row))
    row.end()
  }
  // A part was accounted at its size on arrival, which exceeds its share of a merged row.
  const isAll = dirty.size === retained.size
  const counted = isAll ? memtable.dirtyBytes - retainedBytes : Math.min(bytes, memtable.dirtyBytes)
  memtable.dirtyBytes = isAll ? retainedBytes : memtable.dirtyBytes - counted
  memtable.incomplete = { rows: retained.size, bytes: retainedBytes }
  return { parts, bytes: Math.max(0, counted) }
}

/** Visible rows that still lack their other half, newest first, within bounds. */
function newestIncomplete(table: Table, parts: ReadonlyMap<RowKey, DirtyRow>): Map<RowKey, DirtyRow> {
  const finished = columnIndex(table, table.completionColumn)
  const visible = columnIndex(table, table.presenceColumn)
  const tombstone = columnIndex(table, table.tombstoneColumn)
  const found: [RowKey, DirtyRow][] = []
  for (const entry of parts) {
    const row = entry[1]
    if (isNullCell(row, finished) && !isNullCell(row, visible) && isNullCell(row, tombstone)) found.push(entry)
  }
  let bytes = 0
  const newest = new Map<RowKey, DirtyRow>()
  for (const [key, row] of found.reverse()) {
    if (newest.size >= storageLimits.dirtyRowsMax) break
    bytes += dirtyBytes(row)
    if (bytes > storageLimits.dirtyBytesMax) break
    newest.set(key, row)
  }
  return newest
}
