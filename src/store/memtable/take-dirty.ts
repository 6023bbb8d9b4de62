import { columnIndex, type Row, rowBytes, type Table } from '../../kernel/table.ts'
import { limits } from '../../limits.ts'
import type { RowKey } from '../row-key.ts'
import type { Generation } from './generation.ts'

/**
 * Which dirty parts move into DuckDB: `all` of them where somebody wants to read; all but the newest that still wait for their other
 * half (`unfinished stay`) where only room is made. A half that meets the other in memory spares fetching it, deleting it and putting
 * it back.
 */
export type Taking = 'all' | 'unfinished stay'

/** Takes the oldest dirty parts out of `generation`, as many as move at a time, and the bytes that they counted. */
export function takeDirty(
  table: Table,
  generation: Generation,
  taking: Taking,
): { parts: Map<RowKey, Row>; bytes: number } {
  const { dirty } = generation
  const staying = taking === 'all' ? new Map<RowKey, Row>() : newestUnfinished(table, dirty)
  const parts = new Map<RowKey, Row>()
  let bytes = 0
  for (const [key, row] of dirty) {
    if (staying.has(key)) continue
    parts.set(key, row)
    bytes += rowBytes(row)
    if (parts.size >= limits.movedRowsMax || bytes >= limits.movedBytesMax) break
  }
  for (const key of parts.keys()) dirty.delete(key)
  let stayingBytes = 0
  for (const row of staying.values()) stayingBytes += rowBytes(row)
  // A part counts what it took when it came, which is more than its share of a merged row.
  const isAll = dirty.size === staying.size
  const counted = isAll ? generation.dirtyBytes - stayingBytes : Math.min(bytes, generation.dirtyBytes)
  generation.dirtyBytes = isAll ? stayingBytes : generation.dirtyBytes - counted
  generation.unfinished = { rows: staying.size, bytes: stayingBytes }
  return { parts, bytes: Math.max(0, counted) }
}

/** Parts that can be shown and still lack their other half, the newest first, within bounds. */
function newestUnfinished(table: Table, parts: ReadonlyMap<RowKey, Row>): Map<RowKey, Row> {
  const finished = columnIndex(table, table.completionColumn)
  const visible = columnIndex(table, table.presenceColumn)
  const tombstone = columnIndex(table, table.tombstoneColumn)
  const found: [RowKey, Row][] = []
  for (const entry of parts) {
    const row = entry[1]
    if (row[finished] === null && row[visible] !== null && row[tombstone] === null) found.push(entry)
  }
  let bytes = 0
  const newest = new Map<RowKey, Row>()
  for (let i = found.length - 1; i >= 0 && newest.size < limits.dirtyRowsMax; i--) {
    const [key, row] = found[i]!
    bytes += rowBytes(row)
    if (bytes > limits.dirtyBytesMax) break
    newest.set(key, row)
  }
  return newest
}
