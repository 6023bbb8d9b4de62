import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { DomainError } from '../../../lib/errors.ts'
import { queryLimits } from '../../../lib/limits/queries.ts'
import type { CallsPlan, Relations } from '../../../query/calls-plan.ts'
import { NotExact } from '../../../query/sql/clickhouse/condition.ts'
import { compileHiddenKeys } from '../../../query/sql/clickhouse/hidden-keys.ts'
import type { SharedBranches } from '../../../query/sql/clickhouse/shared-branches.ts'
import type { ClickHouseFiles } from '../../../query/sql/clickhouse/statements.ts'
import type { ClickHouseServer } from '../../../runtime/clickhouse/clickhouse-server.ts'
import { isAddress } from '../../../runtime/config/clickhouse.ts'

/** A read of calls, and which of their branches ClickHouse reads. */
export interface SharedRead {
  readonly server: ClickHouseServer
  readonly snapshot: Snapshot
  readonly plan: CallsPlan
  readonly relations: Relations
  readonly shared: SharedBranches
  readonly signal: AbortSignal | undefined
}

/** The data files as ClickHouse finds them. */
export function filesFor({ location, storeKeys }: ClickHouseServer, paths: readonly string[]): ClickHouseFiles {
  const parts = paths.map((path) => path.split(`/tables/${callsTable.name}/`))
  return {
    folder: `${location}/tables/${callsTable.name}`,
    names: parts.map((part) => part.at(-1) ?? ''),
    store: isAddress(location) ? { keys: storeKeys } : undefined,
  }
}

/**
 * The ids of calls whose rows in the files are outdated.
 *
 * @throws DomainError Overloaded if there are too many
 */
export async function hiddenIds({ snapshot, plan, shared: { masks } }: SharedRead): Promise<readonly string[]> {
  if (masks.length === 0) return []
  const { clickHouseHiddenRowsMax } = queryLimits
  const rows = await snapshot.rows(compileHiddenKeys(masks, plan.projectId, clickHouseHiddenRowsMax + 1))
  if (rows.length <= clickHouseHiddenRowsMax) return rows.map(({ id }) => id)
  throw new DomainError(
    'Overloaded',
    `More than ${clickHouseHiddenRowsMax} changed calls wait to be written to files; try again later, or leave out ` +
      '"engine"',
  )
}

/** @throws DomainError StoreUnavailable if ClickHouse did not find all files */
export function checkFiles(found: number, paths: readonly string[]): void {
  if (found === paths.length) return
  const message = `ClickHouse found ${found} of ${paths.length} data files at the configured location`
  throw new DomainError('StoreUnavailable', message)
}

/** The refusal of a request that ClickHouse would not answer exactly. */
export const refusalOf = (reason: NotExact): DomainError =>
  new DomainError(
    'InvalidRequest',
    `ClickHouse would not answer exactly as this server does: ${reason.message}; leave out "engine"`,
    { cause: reason },
  )

/** @throws DomainError InvalidRequest if ClickHouse would not answer exactly */
export function exactly<T>(compile: () => T): T {
  try {
    return compile()
  } catch (error) {
    throw error instanceof NotExact ? refusalOf(error) : error
  }
}
