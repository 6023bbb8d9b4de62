import { KnownRows } from '../../engine/lineage/lessons.ts'
import { LineagePass } from '../../engine/lineage/lineage-pass.ts'
import { rowKey } from '../../engine/row-key.ts'
import type { Store } from '../../engine/store.ts'
import { isErrorInside, noErrorInside } from '../../engine/tables/call-lineage.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { itemAt } from '../../lib/present.ts'
import type { Cell, Row } from '../../lib/table.ts'
import { cellAt, partAt, textIn } from '../../lib/typed-rows.ts'
import { columnField } from '../../query/catalog.ts'
import { fieldOneOf } from '../../query/expression.ts'
import { compileRows } from '../../query/sql/statements.ts'
import type { ProjectReader } from '../access/index.ts'

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

interface Relearned {
  /** The traces whose calls learn anew. */
  readonly traceIds: readonly string[]
  /** Ids of calls that are about to be deleted. */
  readonly without: ReadonlySet<string>
  readonly nowMs: number
}

/**
 * Computes anew what calls know of their descendants: a call that knows of an error or of usage
 * keeps knowing it when the descendant is deleted.
 *
 * @returns parts of the calls that know something else than they should
 */
export async function relearn(
  store: Store,
  reader: ProjectReader,
  { traceIds, without, nowMs }: Relearned,
): Promise<Row[]> {
  if (traceIds.length === 0) return []
  const { projectId } = reader
  return await store.read([callsTable.name], reader, async (snapshot) => {
    const relation = await snapshot.relationWhere(callsTable.name, { trace_id: traceIds })
    const where = fieldOneOf(columnField('trace_id'), traceIds)
    const columns = [...tellingColumns, 'error_inside', 'usage_below']
    const stored = await snapshot.rows(compileRows({ relation, projectId, where, columns }))
    const pass = new LineagePass(callsTable, callsTable.lineage!, new KnownRows())
    const calls = stored
      .filter(([id]) => !without.has(textIn(id)))
      .map((cells) => {
        const row = noCells.slice()
        row[at.project_id] = projectId
        for (const [index, name] of tellingColumns.entries()) row[at[name]] = itemAt(cells, index)
        pass.addRow(rowKey(projectId, cellAt(row, at.id)), row)
        const [error, usage] = cells.slice(tellingColumns.length)
        return { row, error: error === null ? null : textIn(error), usage }
      })
    pass.runAtOnce()
    return calls.flatMap(({ row, error, usage }) => {
      const known = partAt(row, at.error_inside)
      const isSame = (isErrorInside(error) ? error : null) === known && (usage === 1) === (row[at.usage_below] === 1)
      if (isSame) return []
      const part = noCells.slice()
      part[at.project_id] = projectId
      part[at.id] = itemAt(row, at.id)
      part[at.written_at] = nowMs * 1000
      part[at.error_inside] = known ?? noErrorInside
      part[at.usage_below] = row[at.usage_below] === 1 ? 1 : 0
      return [part]
    })
  })
}
