import { KnownRows } from '../../engine/lineage/lessons.ts'
import { LineagePass } from '../../engine/lineage/lineage-pass.ts'
import type { Snapshot } from '../../engine/reads/snapshot.ts'
import { rowKey } from '../../engine/row-key.ts'
import { isErrorInside, noErrorInside } from '../../engine/tables/call-lineage.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { itemAt } from '../../lib/present.ts'
import type { Cell, Row } from '../../lib/table.ts'
import { cellAt, partAt, textIn } from '../../lib/typed-rows.ts'
import { columnField } from '../../query/catalog.ts'
import { fieldOneOf } from '../../query/expression.ts'
import { compileRows } from '../../query/sql/statements.ts'
import type { ProjectReader } from '../access/index.ts'
import { type CallPlace, tracesOf } from './descendants.ts'

const { at } = callsTable
const noCells: readonly Cell[] = callsTable.columns.map(() => null)

/** Columns of a call from which its ancestors derive their errors and usage. */
const tellingColumns = [
  'id',
  'trace_id',
  'parent_id',
  'exception',
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'stated_cost',
  'usage_by_model',
] as const

/** A call as it is stored, and what it knows of the calls below it. */
interface KnowingCall extends CallPlace {
  /** The cells that its ancestors learn from. */
  readonly row: Row
  readonly error: string | null
  readonly knowsUsage: boolean
}

/** All calls of some traces. */
export async function readTraces(
  snapshot: Snapshot,
  { projectId }: ProjectReader,
  traceIds: readonly string[],
): Promise<readonly KnowingCall[]> {
  if (traceIds.length === 0) return []
  const relation = await snapshot.relationWhere(callsTable.name, { trace_id: traceIds })
  const where = fieldOneOf(columnField('trace_id'), traceIds)
  const columns = [...tellingColumns, 'error_inside', 'usage_below']
  const stored = await snapshot.rows(compileRows({ relation, projectId, where, columns }))
  return stored.map((cells) => {
    const row = noCells.slice()
    row[at.project_id] = projectId
    for (const [index, name] of tellingColumns.entries()) row[at[name]] = itemAt(cells, index)
    const [id, traceId, parentId] = cells
    const [error, usage] = cells.slice(tellingColumns.length)
    return {
      id: textIn(id),
      traceId: textIn(traceId),
      parentId: parentId === null ? null : textIn(parentId),
      row,
      error: error === null ? null : textIn(error),
      knowsUsage: usage === 1,
    }
  })
}

/** Parts of calls, and the traces that these belong to. */
interface Relearned {
  readonly parts: readonly Row[]
  readonly traceIds: readonly string[]
}

/**
 * Computes anew what calls know of their descendants: a call that knows of an error or of usage
 * keeps knowing it when the descendant is deleted.
 *
 * @param traces all calls of these traces; call it once for them
 * @param without ids of calls that are about to be deleted
 * @returns parts of the calls that know something else than they should
 */
export function relearn(traces: readonly KnowingCall[], without: ReadonlySet<string>, nowMs: number): Relearned {
  const left = traces.filter(({ id }) => !without.has(id))
  const pass = new LineagePass(callsTable, callsTable.lineage!, new KnownRows())
  for (const { id, row } of left) pass.addRow(rowKey(cellAt(row, at.project_id), id), row)
  pass.runAtOnce()
  const changed = left.filter(({ row, error, knowsUsage }) => {
    const known = partAt(row, at.error_inside)
    return (isErrorInside(error) ? error : null) !== known || knowsUsage !== (row[at.usage_below] === 1)
  })
  const parts = changed.map(({ row }) => {
    const part = noCells.slice()
    part[at.project_id] = itemAt(row, at.project_id)
    part[at.id] = itemAt(row, at.id)
    part[at.written_at] = nowMs * 1000
    part[at.error_inside] = partAt(row, at.error_inside) ?? noErrorInside
    part[at.usage_below] = row[at.usage_below] === 1 ? 1 : 0
    return part
  })
  return { parts, traceIds: tracesOf(changed) }
}
