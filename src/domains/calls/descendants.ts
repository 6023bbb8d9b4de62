import type { Snapshot } from '../../engine/reads/snapshot.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { DomainError } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { columnField } from '../../query/catalog.ts'
import { all, fieldOneOf } from '../../query/expression.ts'
import { compileRows } from '../../query/sql/statements.ts'
import type { ProjectReader } from '../access/index.ts'

/** Where a call is in its trace. */
export interface CallPlace {
  readonly id: string
  readonly traceId: string
  readonly parentId: string | null
}

/**
 * The calls that exist.
 *
 * @returns those with a parent that is none of them are below others
 */
export async function findCallPlaces(
  snapshot: Snapshot,
  reader: ProjectReader,
  ids: readonly string[],
): Promise<{ places: readonly CallPlace[]; belowOthers: readonly CallPlace[] }> {
  const places = ids.length === 0 ? [] : await select(snapshot, reader, { id: ids })
  const found = new Set(places.map(({ id }) => id))
  return { places, belowOthers: places.filter(({ parentId }) => parentId !== null && !found.has(parentId)) }
}

/**
 * The ids of some calls and of all their descendants within their traces.
 *
 * @param known all calls of some of these traces, which need not be read again
 * @throws DomainError RequestTooLarge if there are more than one request may delete
 */
export async function withDescendants(
  snapshot: Snapshot,
  reader: ProjectReader,
  places: readonly CallPlace[],
  known: readonly CallPlace[] = [],
): Promise<ReadonlySet<string>> {
  const found = new Set(places.map(({ id }) => id))
  const knownTraces = new Set(tracesOf(known))
  const unknown = places.filter(({ traceId }) => !knownTraces.has(traceId))
  addDescendants(found, [...known, ...(await callsAround(snapshot, reader, unknown))])
  if (found.size > operationLimits.deleteCascadeMax) {
    throw new DomainError(
      'RequestTooLarge',
      `Too many calls to delete: ${found.size}, including descendants; delete fewer per request`,
    )
  }
  return found
}

/**
 * The calls of the traces of those that have children. Most calls that are deleted one by one have
 * none, so only these traces are read as a whole.
 */
async function callsAround(
  snapshot: Snapshot,
  reader: ProjectReader,
  places: readonly CallPlace[],
): Promise<readonly CallPlace[]> {
  if (places.length === 0) return []
  const parents = places.map(({ id }) => id)
  const children = await select(snapshot, reader, { trace_id: tracesOf(places), parent_id: parents })
  return children.length === 0 ? [] : await select(snapshot, reader, { trace_id: tracesOf(children) })
}

function addDescendants(found: Set<string>, calls: readonly CallPlace[]): void {
  const childrenOf = new Map<string, string[]>()
  for (const { id, parentId } of calls) {
    if (parentId === null) continue
    const siblings = childrenOf.get(parentId)
    if (siblings) siblings.push(id)
    else childrenOf.set(parentId, [id])
  }
  for (const id of found) {
    // Iterating a Set visits elements added meanwhile; a cycle adds nothing new.
    for (const child of childrenOf.get(id) ?? []) found.add(child)
  }
}

export const tracesOf = (calls: readonly CallPlace[]): string[] => [...new Set(calls.map(({ traceId }) => traceId))]

/** The calls that have, in each of these columns, one of its values. */
async function select(
  snapshot: Snapshot,
  { projectId }: ProjectReader,
  wanted: Readonly<Partial<Record<'id' | 'trace_id' | 'parent_id', readonly string[]>>>,
): Promise<CallPlace[]> {
  const where = all(Object.entries(wanted).map(([column, values]) => fieldOneOf(columnField(column), values)))
  const relation = await snapshot.relationWhere(callsTable.name, wanted)
  const sql = compileRows({ relation, projectId, where, columns: ['id', 'trace_id', 'parent_id'] })
  const rows = await snapshot.rows({ ...sql, shape: callsTable.select('id', 'trace_id', 'parent_id') })
  return rows.map(({ id, trace_id: traceId, parent_id: parentId }) => ({ id, traceId, parentId }))
}
