import type { Snapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { DomainError } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { columnField } from '../../query/catalog.ts'
import { all, fieldOneOf } from '../../query/expression.ts'
import { compileRows } from '../../query/sql/statements.ts'
import type { ProjectReader } from '../access/index.ts'

/** Calls and all their descendants. */
export interface Subtrees {
  readonly ids: string[]
  /** Ids of the traces in which other calls are above some of them. */
  readonly tracesAbove: readonly string[]
}

/**
 * The given calls that exist and all their descendants within their traces.
 *
 * @throws DomainError RequestTooLarge if there are more than one request may delete
 */
export async function findWithDescendants(
  store: Store,
  reader: ProjectReader,
  ids: readonly string[],
): Promise<Subtrees> {
  if (ids.length === 0) return { ids: [], tracesAbove: [] }
  return await store.read([callsTable.name], reader, async (snapshot) => {
    const roots = await select(snapshot, reader, { id: ids })
    if (roots.length === 0) return { ids: [], tracesAbove: [] }
    const found = new Set(roots.map(({ id }) => id))
    await addDescendants(found, roots, snapshot, reader)
    if (found.size > operationLimits.deleteCascadeMax) {
      throw new DomainError(
        'RequestTooLarge',
        `Too many calls to delete: ${found.size}, including descendants; delete fewer per request`,
      )
    }
    const isBelowOthers = ({ parentId }: { parentId: string | null }) => parentId !== null && !found.has(parentId)
    const tracesAbove = new Set(roots.filter(isBelowOthers).map(({ traceId }) => traceId))
    return { ids: [...found], tracesAbove: [...tracesAbove] }
  })
}

/**
 * Adds the descendants of calls to their ids. Most calls that are deleted one by one have no
 * children, so only the traces of those that have some are read as a whole.
 */
async function addDescendants(
  found: Set<string>,
  roots: readonly CallPlace[],
  snapshot: Snapshot,
  reader: ProjectReader,
): Promise<void> {
  const children = await select(snapshot, reader, { trace_id: tracesOf(roots), parent_id: [...found] })
  if (children.length === 0) return
  const childrenOf = new Map<string, string[]>()
  for (const { id, parentId } of await select(snapshot, reader, { trace_id: tracesOf(children) })) {
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

const tracesOf = (calls: readonly CallPlace[]): string[] => [...new Set(calls.map(({ traceId }) => traceId))]

/** Where a call is in its trace. */
interface CallPlace {
  readonly id: string
  readonly traceId: string
  readonly parentId: string | null
}

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
