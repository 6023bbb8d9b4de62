import type { Cell } from '../../kernel/table.ts'
import type { CallsPlan } from '../../query/calls-plan.ts'
import { decidingField } from '../../query/deciding-field.ts'
import { valuesOf } from '../../query/row-bounds.ts'
import { compileInlineCount } from '../../query/sql/inline-values.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import { callsTable } from '../../tables/calls-table.ts'

/**
 * The row of a count of calls that a single field decides, from the values that data files count
 * themselves. Undefined if that is not possible.
 */
export async function countByIndex(
  snapshot: Snapshot,
  { projectId, where, anyOf, after }: CallsPlan,
): Promise<Cell[][] | undefined> {
  if (after !== undefined || Object.keys(anyOf).length > 0) return undefined
  const deciding = decidingField(where, callsTable.order[1]!)
  if (deciding === undefined) return undefined
  const { key, times } = deciding
  const hints = { paths: key.includes('/') ? [key] : [], times }
  const found = await snapshot.valueCounts(callsTable.name, key, hints, { values: valuesOf(where) })
  if (found === undefined) return undefined
  const inline = { projectId, key, counts: found.counts }
  return await snapshot.rows(compileInlineCount(inline, deciding.where, { relation: found.rest, where }))
}
