import { keysOf } from '../../lib/present.ts'
import type { Cell, Row } from '../../lib/table.ts'
import { type CallRow, callsTable } from './calls-table.ts'
import type { ColumnSpecs } from './columns.ts'

const specs: ColumnSpecs = callsTable.specs
const wholeRow = callsTable.select(...keysOf(callsTable.specs))

const blanks = { text: '', json: '', time: 0, integer: 0, number: 0, texts: [] } as const

/**
 * A call of which only some cells were read: the others are blank. Undefined if a cell is null that
 * no call should have so.
 */
export function withOthersBlank(cells: Readonly<Record<string, Cell>>): CallRow | undefined {
  const row: Row = []
  for (const [name, { type, options }] of Object.entries(specs)) {
    const blank = options.nullable ? null : blanks[type]
    const cell = Object.hasOwn(cells, name) ? (cells[name] ?? options.ifMissing ?? null) : blank
    if (cell === null && !options.nullable) return undefined
    row.push(cell)
  }
  return wholeRow.read(row)
}
