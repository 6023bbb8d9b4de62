import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { itemAt } from '../../../lib/present.ts'
import type { Relation } from '../../../lib/relation.ts'
import { fileTimes, restrictToWindow } from '../../../query/calls-plan.ts'
import { isColumn } from '../../../query/sort.ts'
import type { ThreadsPlan } from '../plan/threads.ts'
import { compileLastUpdated, compileThreadsSince } from '../sql/threads.ts'

/** Fewer files are read at once. */
const filesMin = 5
/** Without enough threads, this many times as many files are read next. */
const growth = 4

/**
 * A plan of the last updated threads, restricted to threads that may be among them, with where
 * their turns are: the newest files say since when these were updated. Undefined for other plans,
 * and if that is not known from a few files.
 */
export async function planOfNewest(
  snapshot: Snapshot,
  plan: ThreadsPlan,
): Promise<{ plan: ThreadsPlan; calls: Relation } | undefined> {
  const { limit, offset, threadIds, matching } = plan
  if (limit === undefined || limit + offset > explorationLimits.newestThreadsMax) return undefined
  if (threadIds.length > 0 || matching !== undefined || !isLastUpdatedFirst(plan)) return undefined
  const since = await lastUpdatedOf(snapshot, plan, limit + offset)
  if (since === undefined) return undefined
  const updated = snapshot.relation(callsTable.name, {}, { reaching: { column: 'ended_at', micros: since } })
  const rows = await snapshot.rows(compileThreadsSince(plan, updated, since, explorationLimits.updatedThreadsMax + 1))
  if (rows.length > explorationLimits.updatedThreadsMax) return undefined
  const found = rows.map(({ thread_id }) => thread_id)
  const values = new Map([['thread_id', found]])
  const calls = await snapshot.relationWhere(callsTable.name, {}, {}, { values })
  return { plan: { ...plan, threadIds: found }, calls }
}

function isLastUpdatedFirst({ sort }: ThreadsPlan): boolean {
  const [first, second] = sort
  if (sort.length !== 2 || first === undefined || second === undefined) return false
  return first.direction === 'desc' && isColumn(first.field, 'last_updated') && isColumn(second.field, 'thread_id')
}

/** A time since when at least `threads` threads were updated, as the newest files say. */
async function lastUpdatedOf(snapshot: Snapshot, plan: ThreadsPlan, threads: number): Promise<number | undefined> {
  const relation = snapshot.relation(callsTable.name)
  const ends = (fileTimes(relation) ?? []).map(([, to]) => to).toSorted((a, b) => b - a)
  if (ends.length < filesMin) return undefined
  for (let files = 1; files * 2 <= ends.length; files *= growth) {
    const newest = restrictToWindow(relation, { after: itemAt(ends, files), through: undefined })
    if (newest.branches.length === 0) continue
    const [row] = await snapshot.rows(compileLastUpdated(plan, newest, threads))
    if (row !== undefined) return row.last_updated
  }
  return undefined
}
