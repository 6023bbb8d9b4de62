import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import type { TimeWindow } from '../../../query/calls-plan.ts'
import { columnField } from '../../../query/catalog.ts'
import { lowerRows } from '../../../query/check/lower.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { rowsSql } from '../../../query/sql/rows.ts'

/** How finely the starts of a project's calls are counted: at least this long, at most so many. */
const tickMicros = 10_000_000
const buckets = 2000

const startedAt = columnField('started_at', 'time')

const bucketShape = rowShape({ through: 'integer', calls: 'integer' })

/**
 * The starts of all calls of a project in a window, counted in buckets of equal length, the newest
 * first: rows of the latest possible start in the bucket (microseconds), and calls.
 */
export function compileStartHistogram(
  relation: Relation,
  projectId: string,
  window: TimeWindow,
): Sql<RowOfShape<typeof bucketShape>> {
  const parameters = new Parameters()
  const where = { kind: 'within', field: startedAt, ...window } as const
  const rows = rowsSql(lowerRows({ relation, projectId, where, columns: ['started_at'] }), parameters)
  return {
    // Counted twice, so that the rows are read only once.
    text: `WITH ticks AS MATERIALIZED (
        SELECT epoch_us(started_at) // ${tickMicros} AS tick, count(*) AS calls FROM (${rows}) GROUP BY tick),
      bounds AS (SELECT min(tick) AS low, (max(tick) - min(tick)) // ${buckets} + 1 AS width FROM ticks)
      SELECT (any_value(low) + (bucket + 1) * any_value(width)) * ${tickMicros} - 1, sum(calls)::BIGINT
      FROM (SELECT low, width, calls, (tick - low) // width AS bucket FROM ticks, bounds)
      GROUP BY bucket ORDER BY bucket DESC`,
    values: parameters.values,
    shape: bucketShape,
  }
}
