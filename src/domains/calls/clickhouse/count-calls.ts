import { Type } from '@sinclair/typebox'
import { present } from '../../../lib/present.ts'
import type { Relation } from '../../../lib/relation.ts'
import { numberIn } from '../../../lib/typed-rows.ts'
import { compileClickHouseCount } from '../../../query/sql/clickhouse/statements.ts'
import { compileStats } from '../../../query/sql/statements.ts'
import { checkFiles, exactly, filesFor, hiddenIds, type SharedRead } from './shared-read.ts'

/** Files, calls, and calls for which the engines might differ. */
const counts = Type.Tuple([Type.Integer(), Type.Integer(), Type.Integer()])

/**
 * Counts the calls of a plan: those in data files in ClickHouse, those in memory here. Both see the
 * same snapshot. See docs/decisions/290-counts-in-clickhouse.md.
 *
 * @returns undefined if the engines might differ
 * @throws DomainError InvalidRequest for a condition that ClickHouse would not answer exactly;
 *   StoreUnavailable, QueryTimeout, QueryTooLarge, Overloaded, RequestCancelled
 */
export async function countCalls(read: SharedRead): Promise<number | undefined> {
  const { server, plan, relations, shared, signal } = read
  const places = filesFor(server, shared.paths)
  const compiled = (hidden: readonly string[]) =>
    exactly(() => compileClickHouseCount({ plan, where: plan.where, relation: relations.calls, files: places, hidden }))
  // Refuse an inexact condition before anything is read.
  compiled([])
  const hidden = await hiddenIds(read)
  const inMemory = await countHere(read, shared.rest)
  const [files, count, doubtful] = await server.row(compiled(hidden), counts, signal)
  checkFiles(files, shared.paths)
  return doubtful === 0 ? count + inMemory : undefined
}

async function countHere({ snapshot, plan, relations }: SharedRead, calls: Relation): Promise<number> {
  if (calls.branches.length === 0) return 0
  const [row] = await snapshot.rows(compileStats(plan, { ...relations, calls }, { totalStorageSize: false }))
  return present(numberIn(row?.[0]), 'The number of calls')
}
