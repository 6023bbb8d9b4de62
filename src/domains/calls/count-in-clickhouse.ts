import type { Snapshot } from '../../engine/reads/snapshot.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { DomainError } from '../../lib/errors.ts'
import { queryLimits } from '../../lib/limits/queries.ts'
import { present } from '../../lib/present.ts'
import { numberIn } from '../../lib/typed-rows.ts'
import type { CallsPlan, Relations } from '../../query/calls-plan.ts'
import { NotExact } from '../../query/sql/clickhouse/condition.ts'
import { compileClickHouseCount, sharedBranches } from '../../query/sql/clickhouse/count.ts'
import { compileHiddenKeys } from '../../query/sql/clickhouse/hidden-keys.ts'
import { compileStats } from '../../query/sql/statements.ts'
import type { ClickHouseServer } from '../../runtime/clickhouse/clickhouse-server.ts'
import { readCost } from '../../runtime/platform/read-cost.ts'

/**
 * Counts the calls of a plan: those in data files in ClickHouse, those in memory here. Both see the
 * same snapshot. See docs/decisions/290-counts-in-clickhouse.md.
 *
 * @throws DomainError InvalidRequest for a condition that ClickHouse would not answer exactly;
 *   StoreUnavailable, QueryTimeout, QueryTooLarge, Overloaded, RequestCancelled
 */
export async function countInClickHouse(
  server: ClickHouseServer,
  snapshot: Snapshot,
  plan: CallsPlan,
  relations: Relations,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { calls } = relations
  const { paths, masks, rest } = sharedBranches(calls)
  const here = async (relation: typeof calls): Promise<number> => {
    if (relation.branches.length === 0) return 0
    const sql = compileStats(plan, { ...relations, calls: relation }, { totalStorageSize: false })
    const [row] = await snapshot.rows(sql)
    return present(numberIn(row?.[0]), 'The number of calls')
  }
  const statement = (hidden: readonly string[]) =>
    exactly(() => compileClickHouseCount(plan, calls, filesFor(server, paths), hidden))
  // Refuse an inexact condition even if no calls are in files.
  statement([])
  if (paths.length === 0) return await here(calls)
  const hidden = masks.length === 0 ? [] : await hiddenIds(snapshot, plan, masks)
  const inMemory = await here(rest)
  const [files, found, doubtful] = await server.numbers(statement(hidden), signal)
  if (files !== paths.length) {
    throw new DomainError(
      'StoreUnavailable',
      `ClickHouse found ${files} of ${paths.length} data files at the configured location`,
    )
  }
  if (doubtful !== 0) return await here(calls)
  readCost()?.engines.add('clickhouse')
  return present(found, 'The count of ClickHouse') + inMemory
}

/** The data files as ClickHouse finds them. */
function filesFor({ location }: ClickHouseServer, paths: readonly string[]) {
  const parts = paths.map((path) => path.split(`/tables/${callsTable.name}/`))
  return { folder: `${location}/tables/${callsTable.name}`, names: parts.map((part) => part.at(-1) ?? '') }
}

async function hiddenIds(
  snapshot: Snapshot,
  { projectId }: CallsPlan,
  masks: readonly string[],
): Promise<readonly string[]> {
  const { clickHouseHiddenRowsMax } = queryLimits
  const rows = await snapshot.rows(compileHiddenKeys(masks, projectId, clickHouseHiddenRowsMax + 1))
  if (rows.length > clickHouseHiddenRowsMax) {
    throw new DomainError(
      'Overloaded',
      `More than ${clickHouseHiddenRowsMax} changed calls wait to be written to files; try again later, or leave out ` +
        '"engine"',
    )
  }
  return rows.map(({ id }) => id)
}

/** @throws DomainError InvalidRequest if ClickHouse would not answer exactly */
function exactly<T>(compile: () => T): T {
  try {
    return compile()
  } catch (cause) {
    if (!(cause instanceof NotExact)) throw cause
    throw new DomainError(
      'InvalidRequest',
      `ClickHouse would not answer exactly as this server does: ${cause.message}; leave out "engine"`,
      { cause },
    )
  }
}
