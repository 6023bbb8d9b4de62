import { cellReader, type Row } from '../../../kernel/table.ts'
import { hashesOf } from '../../../store/data-files/file-index-builder.ts'
import { BatchCodec } from '../../../store/wal/batch-codec.ts'
import { callsTable } from '../../../tables/calls-table.ts'
import type { EncodedCalls } from './intake-task.ts'

const codec = new BatchCodec(callsTable)

/** Rows as they are logged (at least one), with their derived cells and hashes. */
export function encodeCalls(rows: readonly Row[]): EncodedCalls {
  return {
    message: codec.encode(rows).slice() as Uint8Array<ArrayBuffer>,
    ...derive(rows),
    hashes: hashesOf(callsTable, rows.map(cellReader)),
  }
}

/** The derived cells of rows that can be shown. */
function derive(rows: readonly Row[]): Pick<EncodedCalls, 'derived' | 'derivedRows'> {
  const derivedRows = new Uint8Array(rows.length)
  const cells = rows.map((row, index) => {
    const derived = row[callsTable.at.op_name] === null ? undefined : callsTable.derivedOf?.(cellReader(row))
    if (derived !== undefined) derivedRows[index] = 1
    return derived ?? []
  })
  return { derived: codec.encodeDerived(cells).slice() as Uint8Array<ArrayBuffer>, derivedRows }
}
