import { BatchRow } from '../../lib/column-batch.ts'
import { mergeParts, type Row, rowBytes, type Table } from '../../lib/table.ts'

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
