import { Type } from '@sinclair/typebox'
import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { DomainError } from '../../../lib/errors.ts'
import { queryLimits } from '../../../lib/limits/queries.ts'
import { responseLimits } from '../../../lib/limits/responses.ts'
import { justBefore } from '../../../lib/time.ts'
import { numberIn, textIn } from '../../../lib/typed-rows.ts'
import { type CallsIn, startedWithin } from '../../../query/calls-plan.ts'
import { columnField } from '../../../query/catalog.ts'
import { all, type Expression, fieldOneOf, never } from '../../../query/expression.ts'
import { pathsRead } from '../../../query/path-of-row.ts'
import { type DividedCondition, isWholeThere } from '../../../query/sql/clickhouse/division.ts'
import { clickHousePage } from '../../../query/sql/clickhouse/order.ts'
import { compileClickHouseKeys } from '../../../query/sql/clickhouse/statements.ts'
import { compileTextsTable } from '../../../query/sql/inline-values.ts'
import { compilePlanned } from '../../../query/sql/statements.ts'
import { checkFiles, exactly, filesFor, hiddenIds, type SharedRead } from './shared-read.ts'

/** A call that was found, with its start in microseconds. */
interface FoundCall {
  readonly id: string
  readonly start: number | undefined
}

/** Files, calls for which the engines might differ, and ids and starts of calls. */
const foundKeys = Type.Tuple([
  Type.Integer(),
  Type.Integer(),
  Type.Array(Type.Tuple([Type.String(), Type.Union([Type.Integer(), Type.Null()])])),
])

/**
 * A plan with the same answer that names the ids of calls: those in data files are found by
 * ClickHouse, those in memory here. Both see the same snapshot. DuckDB then reads these calls only,
 * and tests the conditions that ClickHouse cannot.
 *
 * @returns undefined if the engines might differ
 * @throws DomainError InvalidRequest for too many calls; StoreUnavailable, QueryTimeout,
 *   QueryTooLarge, Overloaded, RequestCancelled
 */
export async function findCalls(read: SharedRead, divided: DividedCondition): Promise<CallsIn | undefined> {
  const { server, plan, relations, shared, signal } = read
  const { there: where, here } = divided
  const end = plan.limit === undefined ? Number.POSITIVE_INFINITY : plan.limit + plan.offset
  const page = isWholeThere(divided) && end <= responseLimits.pageRowsMax ? clickHousePage(plan) : undefined
  const limit = page === undefined ? queryLimits.clickHouseFoundRowsMax + 1 : end
  const inMemory = shared.rest.branches.length === 0 ? [] : await foundHere(read, where, limit, page !== undefined)
  const hidden = await hiddenIds(read)
  const files = filesFor(server, shared.paths)
  const statement = exactly(() =>
    compileClickHouseKeys({ plan, where, relation: relations.calls, files, hidden }, { page, limit }),
  )
  const [found, doubts, keys] = await server.row(statement, foundKeys, signal)
  checkFiles(found, shared.paths)
  if (doubts !== 0) return undefined
  const calls = [...keys.map(([id, start]) => ({ id, start: start ?? undefined })), ...inMemory]
  if (page === undefined && calls.length > queryLimits.clickHouseFoundRowsMax) throw new TooManyFound()
  return await restrictedTo(read.snapshot, { plan, relations }, calls, here)
}

/** Thrown if ClickHouse finds more calls than one request may name to DuckDB. */
export class TooManyFound extends DomainError {
  constructor() {
    super(
      'InvalidRequest',
      `ClickHouse found more than ${queryLimits.clickHouseFoundRowsMax} calls; narrow the condition, or leave out ` +
        '"engine"',
    )
  }
}

/** The calls of the branches that ClickHouse does not read. */
async function foundHere(
  { snapshot, plan, relations, shared: { rest: relation } }: SharedRead,
  where: Expression,
  limit: number,
  isPage: boolean,
): Promise<readonly FoundCall[]> {
  const { projectId, sort, after } = plan
  const page = isPage ? { sort, after } : {}
  const wanted = { ...relations, relation, projectId, where, columns: ['id', 'started_at'], ...page, limit }
  const rows = await snapshot.rows(compilePlanned(wanted))
  return rows.map(([id, start]) => ({ id: textIn(id), start: numberIn(start) ?? undefined }))
}

const id = columnField('id')

async function restrictedTo(
  snapshot: Snapshot,
  { plan, relations }: CallsIn,
  calls: readonly FoundCall[],
  here: Expression,
): Promise<CallsIn> {
  if (calls.length === 0) return { plan: { ...plan, where: never }, relations }
  const ids = calls.map((call) => call.id)
  const starts = calls.flatMap(({ start }) => start ?? [])
  const times =
    starts.length < calls.length
      ? undefined
      : { after: justBefore(least(starts)), through: starts.reduce((last, start) => Math.max(last, start)) }
  const within = times === undefined ? [] : [startedWithin(times)]
  const areFew = ids.length <= responseLimits.scatteredRowsMax
  const where = all([...within, areFew ? fieldOneOf(id, ids) : await inTable(snapshot, ids), here])
  if (!areFew) return { plan: { ...plan, where }, relations }
  const paths = pathsRead(
    where,
    plan.sort.map(({ field }) => field),
  )
  const found = snapshot.relation(callsTable.name, { id: ids }, { paths, times })
  return { plan: { ...plan, where, anyOf: { ...plan.anyOf, id: ids } }, relations: { ...relations, calls: found } }
}

const least = (numbers: readonly number[]): number => numbers.reduce((first, number) => Math.min(first, number))

/** Tables of ids are named apart, as a read may need several. */
let tables = 0

async function inTable(snapshot: Snapshot, ids: readonly string[]): Promise<Expression> {
  tables += 1
  const table = `found_calls_${tables}`
  await snapshot.createTempTable(table, compileTextsTable(ids))
  return { kind: 'inTable', field: id, table }
}
