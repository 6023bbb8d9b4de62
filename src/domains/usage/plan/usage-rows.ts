import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { columnField } from '../../../query/catalog.ts'
import type { RowsWanted } from '../../../query/check/lower.ts'
import { type Expression, fieldOneOf } from '../../../query/expression.ts'
import { compilePlanned, compileRows } from '../../../query/sql/statements.ts'
import { countingColumns, countsUsageSql } from '../../../query/sql/usage-prices.ts'

const usageRowShape = rowShape({
  id: 'text',
  parentId: 'text?',
  usage: 'json?',
  startedAt: 'integer',
  endedAt: 'time?',
  isElsewhere: 'integer',
  isLeftOut: 'integer',
})

/**
 * Rows of id, parent, usage as JSON text, start in microseconds, end (null while the call runs), 1
 * if another call states the same usage, and 1 if statistics leave out its usage. The condition
 * must be rewritten already.
 */
export function compileUsageRows(wanted: Omit<RowsWanted, 'columns'>): Sql<RowOfShape<typeof usageRowShape>> {
  const columns = ['id', 'parent_id', 'summary', 'started_at', 'ended_at', ...countingColumns]
  const rows = compilePlanned({ ...wanted, columns })
  return {
    text: `SELECT id, parent_id, json_extract(summary, '/usage')::VARCHAR, epoch_us(started_at), ended_at,
      coalesce(usage_elsewhere, 0), CASE WHEN ${countsUsageSql} THEN 0 ELSE 1 END FROM (${rows.text})`,
    values: rows.values,
    shape: usageRowShape,
  }
}

const traceSizeShape = rowShape({ traceId: 'text', calls: 'integer' })

/** Rows of a trace and the number of its calls whose `column` has one of the values. */
export function compileTraceSizes(
  relation: Relation,
  projectId: string,
  column: 'id' | 'trace_id',
  values: readonly string[],
): Sql<RowOfShape<typeof traceSizeShape>> {
  const rows = compileRows({ relation, projectId, where: isOneOf(column, values), columns: ['trace_id'] })
  const text = `SELECT trace_id, count(*) FROM (${rows.text}) GROUP BY trace_id`
  return { text, values: rows.values, shape: traceSizeShape }
}

/** Calls whose `column` has one of the values. */
export const isOneOf = (column: 'id' | 'trace_id', values: readonly string[]): Expression =>
  fieldOneOf(columnField(column), values)
