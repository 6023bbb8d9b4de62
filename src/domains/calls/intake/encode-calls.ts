import { hashesOf } from '../../../engine/data-files/file-index-builder.ts'
import { KnownRows } from '../../../engine/lineage/lessons.ts'
import { LineagePass } from '../../../engine/lineage/lineage-pass.ts'
import { rowKey } from '../../../engine/row-key.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { BatchCodec } from '../../../engine/wal/batch-codec.ts'
import { cellReader, type Row } from '../../../lib/table.ts'
import { cellAt } from '../../../lib/typed-rows.ts'
import type { EncodedCalls } from './intake-task.ts'

const codec = new BatchCodec(callsTable)

/**
 * Rows as they are logged (at least one), with their derived cells and hashes. The rows are
 * changed.
 */
export function encodeCalls(rows: readonly Row[]): EncodedCalls {
  return {
    message: new Uint8Array(codec.encode(rows)),
    hashes: hashesOf(callsTable, rows.map(cellReader)),
    ...derive(rows),
  }
}

const keyOf = (row: Row) => rowKey(cellAt(row, callsTable.at.project_id), cellAt(row, callsTable.at.id))

/** The derived cells of rows that can be shown, and what they know of each other. */
function derive(rows: readonly Row[]): Pick<EncodedCalls, 'derived' | 'derivedRows'> {
  const { at, lineage } = callsTable
  const derivedRows = new Uint8Array(rows.length)
  const pass = new LineagePass(callsTable, lineage!, new KnownRows())
  for (const [index, row] of rows.entries()) {
    if (row[at.op_name] === null) continue
    callsTable.derive(row)
    derivedRows[index] = 1
    pass.addRow(keyOf(row), row)
  }
  pass.runAtOnce()
  if (pass.havePassedFactsOn)
    for (const [index, row] of rows.entries())
      if (derivedRows[index] === 1 && pass.hasPassedFactsOn(keyOf(row))) derivedRows[index] = 2
  const cells = rows.map((row, index) => (derivedRows[index] !== 0 ? row : []))
  return { derived: new Uint8Array(codec.encodeDerived(cells)), derivedRows }
}
