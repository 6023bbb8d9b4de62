import type { Relation } from '../kernel/relation.ts'
import type { Sql } from '../kernel/sql.ts'
import { columnField } from './catalog.ts'
import { compilePlanned, compileRows } from './compile.ts'
import { type Expression, fieldOneOf } from './expression.ts'
import type { RowsWanted } from './lower.ts'

/**
 * Rows of id, parent, usage as JSON text, start in microseconds, and end (null while the call
 * runs). The condition must be rewritten already.
 */
export function compileUsageRows(wanted: Omit<RowsWanted, 'columns'>): Sql {
  const rows = compilePlanned({ ...wanted, columns: ['id', 'parent_id', 'summary', 'started_at', 'ended_at'] })
  return {
    text: `SELECT id, parent_id, json_extract(summary, '/usage')::VARCHAR, epoch_us(started_at), ended_at FROM
      (${rows.text})`,
    values: rows.values,
  }
}

/** Rows of a trace and the number of its calls whose `column` has one of the values. */
export function compileTraceSizes(
  relation: Relation,
  projectId: string,
  column: 'id' | 'trace_id',
  values: readonly string[],
): Sql {
  const rows = compileRows({ relation, projectId, where: isOneOf(column, values), columns: ['trace_id'] })
  return { text: `SELECT trace_id, count(*) FROM (${rows.text}) GROUP BY trace_id`, values: rows.values }
}

/** Calls whose `column` has one of the values. */
export const isOneOf = (column: 'id' | 'trace_id', values: readonly string[]): Expression =>
  fieldOneOf(columnField(column), values)
