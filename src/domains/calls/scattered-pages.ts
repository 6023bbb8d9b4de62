import type { Snapshot } from '../../engine/reads/snapshot.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { limits } from '../../lib/limits.ts'
import { justBefore } from '../../lib/time.ts'
import type { CallsPlan, Relations } from '../../query/calls-plan.ts'
import { columnField } from '../../query/catalog.ts'
import { compilePlanned } from '../../query/compile.ts'
import { all, fieldOneOf, fieldOneOfTimes } from '../../query/expression.ts'
import { pathsRead } from '../../query/path-of-row.ts'
import { topOfPath } from './top-of-path.ts'

const startedAt = columnField('started_at', 'time')

/** Scans whose columns are planned one by one, before finding the rows first takes less time. */
const scansMax = 2

/**
 * Whether it is faster to find out which rows are on a page before reading all of their columns:
 * DuckDB plans every column of each scan, and reads wide columns of all rows to sort by a value
 * that it computes.
 */
export function isScattered({ sort, limit }: CallsPlan, { calls }: Relations): boolean {
  if (limit === undefined || limit > limits.scatteredRowsMax) return false
  const scans = calls.branches.filter(({ source }) => source.kind === 'files')
  const files = scans.reduce((sum, { source }) => sum + (source.kind === 'files' ? source.paths.length : 0), 0)
  return scans.length > scansMax || (files > 1 && sort.some(({ field }) => field.kind !== 'column'))
}

/**
 * The plan and the relations of exactly the rows that are on a page; undefined if there are none.
 */
export async function rowsOnPage(
  snapshot: Snapshot,
  plan: CallsPlan,
  relations: Relations,
): Promise<{ plan: CallsPlan; relations: Relations } | undefined> {
  const { projectId, where, sort, after, limit, offset } = plan
  const { feedback, queues, usage } = relations
  const top = await topOfPath(snapshot, plan, relations)
  const { calls: relation } = top?.relations ?? relations
  const wanted = {
    ...{ relation, projectId, feedback, queues, usage, where, sort, after, limit, offset },
    having: top?.having,
    columns: ['id', 'started_at'],
  }
  const rows = (await snapshot.rows(compilePlanned(wanted))) as [string, number][]
  if (rows.length === 0) return undefined
  const ids = rows.map(([id]) => id)
  const starts = [...new Set(rows.map(([, micros]) => micros))]
  const calls = snapshot.relation(
    callsTable.name,
    { id: ids },
    {
      paths: pathsRead(
        all([]),
        sort.map(({ field }) => field),
      ),
      times: { after: justBefore(Math.min(...starts)), through: Math.max(...starts) },
    },
  )
  return {
    // By their starts, DuckDB skips the row groups of other rows.
    plan: {
      ...plan,
      where: all([fieldOneOfTimes(startedAt, starts), fieldOneOf(columnField('id'), ids)]),
      after: undefined,
      limit: rows.length,
      offset: 0,
    },
    relations: { ...relations, calls },
  }
}
