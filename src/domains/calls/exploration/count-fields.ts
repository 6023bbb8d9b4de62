import { callsTable } from '../../../engine/tables/calls-table.ts'
import { clientColumns } from '../../../engine/tables/define-table.ts'
import { parseExactly } from '../../../formats/wire/exact-json.ts'
import type { Cell } from '../../../lib/table.ts'
import { formatTime } from '../../../lib/time.ts'
import { TimeSlice } from '../../../runtime/platform/event-loop.ts'
import type { FieldCount } from './field-count.ts'

/** Columns that are fields, by their path. */
export const fieldColumns = clientColumns(callsTable)
  .filter(({ exposed, type }) => exposed !== 'query' && type !== 'texts')
  .map(({ name, type, exposed }) => ({ path: exposed === 'summary' ? `summary.ext.${name}` : name, name, type }))

/**
 * Adds the fields of some calls, given as cells by column in the order of `columns`.
 *
 * @returns how many calls they are
 */
export async function countFields(
  count: FieldCount,
  columns: typeof fieldColumns,
  batches: readonly Cell[][][],
): Promise<number> {
  const slice = new TimeSlice()
  let calls = 0
  for (const cells of batches) {
    calls += cells[0]?.length ?? 0
    for (const [at, { path, type }] of columns.entries()) {
      for (const cell of cells[at]!) {
        if (cell === null || cell === '') continue
        count.add(path, valueIn(cell, type))
        if (slice.expired) await slice.yield()
      }
    }
  }
  return calls
}

function valueIn(cell: Cell, type: (typeof fieldColumns)[number]['type']): unknown {
  if (type === 'json') return parseExactly(cell as string)
  return type === 'time' ? formatTime(cell as number) : cell
}
