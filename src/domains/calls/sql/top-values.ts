import type { Sql } from '../../../lib/sql.ts'
import type { JsonField } from '../../../query/catalog.ts'
import { lowerRows, type RowsWanted } from '../../../query/check/lower.ts'
import type { SortKey } from '../../../query/sort.ts'
import { type InlineValues, inlineScope, inlineSql } from '../../../query/sql/inline-values.ts'
import { orderSql } from '../../../query/sql/order.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { rowsSql } from '../../../query/sql/rows.ts'

/** Which values come first, and how many rows they should be of. */
export interface TopValues {
  readonly field: JsonField
  readonly direction: SortKey['direction']
  readonly rows: number
}

/**
 * The JSON texts at a path that come first in an order of it: as few as make up so many rows, with
 * all that tie with the last of them. Null: rows without a value.
 */
export function compileTopValues(
  inline: InlineValues,
  rest: Omit<RowsWanted, 'columns' | 'projectId'>,
  { field, direction, rows }: TopValues,
): Sql {
  const parameters = new Parameters()
  const wanted = { ...rest, projectId: inline.projectId, columns: [], values: [{ name: 'value', field }] }
  const others = rowsSql(lowerRows(wanted), parameters)
  const order = orderSql([{ field, direction }], inlineScope(inline, parameters))
  return {
    text: `WITH found AS (
        SELECT t.value, t.calls FROM ${inlineSql(inline, parameters)}
        UNION ALL SELECT r.value, count(*) FROM (${others}) r GROUP BY r.value),
      t AS (SELECT value, sum(calls) AS calls FROM found GROUP BY value HAVING sum(calls) > 0)
      SELECT value FROM (
        SELECT value, sum(calls) OVER (ORDER BY ${order} GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
        FROM t)
      WHERE coalesce(before, 0) < ${parameters.bind(BigInt(rows))}::BIGINT`,
    values: parameters.values,
  }
}
