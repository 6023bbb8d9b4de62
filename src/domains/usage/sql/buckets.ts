import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { type Buckets, bucketSeriesSql } from '../../../query/sql/stats/time-buckets.ts'

const bucketShape = rowShape({ start: 'time' })

/** The starts of all buckets of a range, in order. */
export function compileBuckets(
  range: { start: number; end: number },
  buckets: Buckets,
): Sql<RowOfShape<typeof bucketShape>> {
  const parameters = new Parameters()
  const text = `${bucketSeriesSql(range, buckets, parameters)} ORDER BY bucket`
  return { text, values: parameters.values, shape: bucketShape }
}
