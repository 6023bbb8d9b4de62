import { limits } from '../../limits.ts'
import { columnIndex, type Row, rowBytes, type Table } from '../../model/table.ts'
import type { Generation } from './generation.ts'
import type { RowKey } from './row-key.ts'

/**
 * Which dirty parts move into DuckDB: `all` of them where somebody wants to read; all but the newest that still wait for their other
 * half (`unfinished stay`) where only room is made. A half that meets the other in memory spares fetching it, deleting it and putting
 * it back.
 */
export type Taking = 'all' | 'unfinished stay'

/** Takes dirty parts out of `generation`, and the bytes that they counted. */
export function takeDirty(
  table: Table,
  generation: Generation,
  taking: Taking,
): { parts: Map<RowKey, Row>; bytes: number } {
  const parts = generation.dirty
  const bytes = generation.dirtyBytes
  const staying = taking === 'all' ? [] : newestUnfinished(table, parts)
  let stayingBytes = 0
  generation.dirty = new Map()
  for (const [key, row] of staying.reverse()) {
    generation.dirty.set(key, row)
    parts.delete(key)
    stayingBytes += rowBytes(row)
  }
  generation.dirtyBytes = stayingBytes
  generation.unfinished = { rows: staying.length, bytes: stayingBytes }
  return { parts, bytes: Math.max(0, bytes - stayingBytes) }
}

/** Parts that can be shown and still lack their other half, the newest first, within bounds. */
function newestUnfinished(table: Table, parts: ReadonlyMap<RowKey, Row>): [RowKey, Row][] {
  const finished = columnIndex(table, table.finished)
  const visible = columnIndex(table, table.visible)
  const tombstone = columnIndex(table, table.tombstone)
  const found: [RowKey, Row][] = []
  for (const entry of parts) {
    const row = entry[1]
    if (row[finished] === null && row[visible] !== null && row[tombstone] === null) found.push(entry)
  }
  let bytes = 0
  const newest: [RowKey, Row][] = []
  for (let i = found.length - 1; i >= 0 && newest.length < limits.dirtyRowsMax; i--) {
    bytes += rowBytes(found[i]![1])
    if (bytes > limits.dirtyBytesMax) break
    newest.push(found[i]!)
  }
  return newest
}
